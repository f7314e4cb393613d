import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  Account,
  type Keypair,
  Operation,
  type rpc,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import type { LedgerOptions } from '../../src/index.ts';
import { type Scene, startScene } from '../network/scene.ts';

const DAY = 86_400;
const MANUAL = { close: { kind: 'manual' } } as const;

/** Seconds of this machine's clock, by which a client makes its time bounds. */
const now = (): number => Math.floor(Date.now() / 1_000);

interface Bounds {
  readonly minTime?: number;
  readonly maxTime: number;
}

/** Sends a transaction with these time bounds; the network says what it makes of it. */
async function send(
  { server, ledger }: Scene,
  source: Keypair,
  { minTime = 0, maxTime }: Bounds,
): Promise<string> {
  const { id, sequence } = await accountOf(server, source);
  const transaction = new TransactionBuilder(new Account(id, sequence), {
    fee: '100',
    networkPassphrase: ledger.passphrase,
    timebounds: { minTime, maxTime },
  })
    .addOperation(Operation.bumpSequence({ bumpTo: '0' }))
    .build();
  transaction.sign(source);
  const sent = await server.sendTransaction(transaction);
  if (sent.status !== 'PENDING') return resultOf(sent.errorResult);
  ledger.closeLedger();
  return (await server.getTransaction(sent.hash)).status;
}

async function accountOf(
  server: rpc.Server,
  source: Keypair,
): Promise<{ readonly id: string; readonly sequence: string }> {
  const account = await server.getAccount(source.publicKey());
  return { id: account.accountId(), sequence: account.sequenceNumber() };
}

function resultOf(result: xdr.TransactionResult | undefined): string {
  return result?.result.type ?? 'no result';
}

/** Moves the time three times, and sends something each time. @returns who sent it */
async function movedDays(options: LedgerOptions): Promise<Keypair> {
  await using scene = await startScene(options);
  const alice = await scene.account();
  for (let day = 0; day < 3; day++) {
    await scene.ledger.control('svc_advanceTime', { seconds: DAY });
    assert.equal(await send(scene, alice, { maxTime: now() + 300 }), 'SUCCESS');
  }
  return alice;
}

describe('after the time was moved forward', () => {
  it("a client's time bounds are over, unless they are compared with the clock", async () => {
    await using scene = await startScene(MANUAL);
    const alice = await scene.account();
    const { closeTime } = await scene.ledger.control('svc_advanceTime', { seconds: DAY });
    const soon = (): Bounds => ({ maxTime: now() + 300 });
    assert.equal(await send(scene, alice, soon()), 'txTooLate');

    const set = await scene.ledger.control('svc_setTimeBounds', { by: 'clock' });
    assert.deepEqual(set, { by: 'clock' });
    assert.equal(await send(scene, alice, soon()), 'SUCCESS');
    assert.equal(await send(scene, alice, { maxTime: now() - 60 }), 'txTooLate');
    const later = { minTime: now() + 300, maxTime: closeTime + 300 };
    assert.equal(await send(scene, alice, later), 'txTooEarly');
    // Ledgers, and contracts in them, keep the time that was moved.
    const { closeTime: next } = await scene.ledger.control('svc_closeLedger');
    assert.ok(next >= closeTime);

    await scene.ledger.control('svc_setTimeBounds', { by: 'network' });
    assert.equal(await send(scene, alice, soon()), 'txTooLate');
    assert.equal(await send(scene, alice, { maxTime: next + 300 }), 'SUCCESS');
  });

  it('compares them with the clock, however often time is moved, and after a restart with the option', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'time-bounds-'));
    try {
      const options = { ...MANUAL, dataFolder, timeBounds: 'clock' } as const;
      const alice = await movedDays(options);
      await using second = await startScene(options);
      assert.equal(await send(second, alice, { maxTime: now() + 300 }), 'SUCCESS');
      assert.equal(await send(second, alice, { maxTime: now() - 60 }), 'txTooLate');
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });

  it('accepts only one of the two', async () => {
    await using scene = await startScene(MANUAL);
    await assert.rejects(scene.ledger.control('svc_setTimeBounds', { by: 'sun' as never }), /by/);
  });
});
