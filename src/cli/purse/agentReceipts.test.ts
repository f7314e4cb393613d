import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { AgentReceipts } from './agentReceipts.ts';
import type { Payer } from './payer.ts';
import type { Entry } from './receiptBook.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-x402-agent-receipts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const payer = (wallet: string, key: string, ownsAccount: boolean) =>
  ({ address: wallet, wallet, key, ownsAccount }) as unknown as Payer;

function entry(nonce: bigint, changes: Partial<Entry> = {}): Entry {
  const sent = {
    ...{ payer: 'CW', nonce, asset: 'CASSET', payTo: 'GSELLER', amount: 100_000n },
    ...{ signedLedger: 10, expirationLedger: 20 },
  };
  return {
    ...{ time: new Date(1_700_000_000_000 + Number(nonce)).toISOString(), call: `call ${nonce}` },
    ...{ method: 'GET', url: 'http://127.0.0.1/paid?city=Lima', sent, outcome: 'settled' },
    ...{ transaction: '', delivered: true, reported: true, policies: ['CPOLICY'], ...changes },
  };
}

const nonces = async (receipts: AgentReceipts, policies: readonly string[]) =>
  (await receipts.entries(policies)).map(({ sent }) => sent.nonce);

describe('The receipts of an agent', () => {
  it('include those of its earlier keys, also in files of version 0.4', async () => {
    const { sent, reported: _, policies: __, ...rest } = entry(1n);
    const old = { version: 1, ...rest, ...sent, nonce: '1', amount: '100000' };
    writeFileSync(join(folder, 'CW-GFIRST00.jsonl'), `\n${JSON.stringify(old)}\n`);
    await new AgentReceipts(folder, payer('CW', 'GSECOND0', true)).keep(entry(2n));
    const now = new AgentReceipts(folder, payer('CW', 'GTHIRD00', true));
    await now.keep(entry(3n));
    assert.deepEqual(await nonces(now, []), [3n, 2n, 1n]);
    assert.deepEqual((await now.entries([])).at(-1)?.policies, undefined);
    // What is learned of an earlier key's payment replaces it.
    await now.keep(entry(2n, { outcome: 'not_settled' }));
    assert.deepEqual(
      (await now.entries([])).map(({ outcome }) => outcome),
      ['settled', 'not_settled', 'settled'],
    );
  });

  it('on an account with other agents are those of the same policy', async () => {
    await new AgentReceipts(folder, payer('CX', 'GOLD0000', false)).keep(entry(1n));
    const other = new AgentReceipts(folder, payer('CX', 'GOTHER00', false));
    await other.keep(entry(2n, { policies: ['COTHER'] }));
    const rotated = new AgentReceipts(folder, payer('CX', 'GNEW0000', false));
    assert.deepEqual(await nonces(rotated, ['CPOLICY']), [1n]);
    assert.deepEqual(await nonces(rotated, []), []);
    assert.deepEqual(await nonces(other, ['COTHER']), [2n]);
  });

  it('of two processes with the same call at once, only the first may pay', async () => {
    const open = { call: 'same', outcome: 'not_yet', delivered: false, reported: false } as const;
    const [one, two] = [1, 2].map(() => new AgentReceipts(folder, payer('CY', 'GKEY0000', true)));
    const claims = await Promise.all([one?.claim(entry(1n, open)), two?.claim(entry(2n, open))]);
    assert.equal(claims.filter((claim) => claim === undefined).length, 1);
    const undecided = (await one?.entries([]))?.filter(({ outcome }) => outcome === 'not_yet');
    assert.equal(undecided?.length, 1);
  });
});
