import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

const SETTLING: readonly string[] = [
  'simulateTransaction',
  'sendTransaction',
  'getTransaction',
  'getLedgerEntries',
];

describe('A settlement’s requests to a network that closes ledgers on demand', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let payers: TestKey[];
  let seller: TestKey;

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    facilitator = await startFacilitator({ ...facilitatorOptions(local), rpcUrl: rpc.url });
    payers = [];
    for (let i = 0; i < 8; i++) payers.push(await openPayer(local));
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });

  async function settled(payer: TestKey | undefined): Promise<unknown> {
    assert.ok(payer);
    const request = await freshPayment(local, payer, seller);
    return post(facilitator.url, '/settle', request);
  }
  const requests = () =>
    rpc.requests.filter((methods) => methods.some((method) => SETTLING.includes(method)));

  it('are three: simulation, submission, and the outcome with the entries that prove it', async () => {
    // The first settlement also reads the sponsor and its channel.
    await settled(payers[0]);
    const taken: (readonly string[])[][] = [];
    for (let turn = 0; turn < 10; turn++) {
      rpc.requests.length = 0;
      const { body } = (await settled(payers[0])) as { body: { success: boolean } };
      assert.equal(body.success, true);
      taken.push(requests());
    }
    // A second look is needed where a ledger closes late.
    const shortest = taken.reduce((a, b) => (b.length < a.length ? b : a));
    assert.deepEqual(shortest, [
      ['simulateTransaction'],
      ['sendTransaction'],
      ['getTransaction', 'getLedgerEntries'],
    ]);
    const median = taken.map(({ length }) => length).sort((a, b) => a - b)[5];
    assert.equal(median, 3);
  });

  it('never have a submission in a batch', async () => {
    rpc.requests.length = 0;
    await Promise.all(payers.map(settled));
    for (const methods of rpc.requests) {
      if (methods.includes('sendTransaction')) assert.deepEqual(methods, ['sendTransaction']);
    }
    assert.ok(rpc.requests.some((methods) => methods.length > 1));
  });
});
