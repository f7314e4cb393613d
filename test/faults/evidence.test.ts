import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { openSigner } from '../../src/server/settlement/signer.ts';
import { balancesOf, openPayer, openSeller, submit } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';

/** Waits as the service does, but a second and more pass at once. */
const hurried = hurriedClock();

const txBadSeq = {
  result: {
    status: 'ERROR',
    hash: '0'.repeat(64),
    latestLedger: 1,
    latestLedgerCloseTime: '0',
    // TransactionResult with feeCharged 0 and txBAD_SEQ.
    errorResultXdr: Buffer.from('0000000000000000fffffffb00000000', 'hex').toString('base64'),
  },
} as const;

describe('The outcome of a submission is reported only with evidence', () => {
  let local: LocalNetwork;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;

  before(async () => {
    local = await startLocalNetwork();
    rpc = await startFaultyRpc(local.rpcUrl);
    facilitator = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      rateLimitPerMinute: 0,
      clock: hurried,
      confirmationMs: 1_500,
    });
    payer = await openPayer(local);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });
  afterEach(() => rpc.heal());

  const fresh = () => freshPayment(local, payer, seller);
  const settle = (request: FacilitatorRequest): Promise<Posted> =>
    post(facilitator.url, '/settle', request);
  const received = async () => (await balancesOf(local, seller.address)).usdc;

  it('a submission that arrives twice, with only the second one’s refusal received: settled', async () => {
    const before = await received();
    rpc.fault((method) => {
      if (method !== 'sendTransaction') return undefined;
      return () => txBadSeq.result;
    });
    const { body } = await settle(await fresh());
    assert.equal(body.success, true);
    assert.equal((await received()) - before, 100_000n);
  });

  it('a server that names a ledger long past the last one: not considered dropped', async () => {
    const before = await received();
    const request = await fresh();
    let looks = 0;
    rpc.fault((method) =>
      method === 'getTransaction' && ++looks <= 3
        ? () => ({ status: 'NOT_FOUND', latestLedger: 4_000_000_000 })
        : undefined,
    );
    const { body } = await settle(request);
    assert.equal(body.success, true);
    assert.equal((await received()) - before, 100_000n);
  });

  it('a submission that no server kept is dropped once its sequence number is used up, not before', async () => {
    const before = await received();
    let sends = 0;
    rpc.fault((method) => {
      // The first submission seems to be accepted and is forgotten; the fence after it succeeds.
      if (method === 'sendTransaction' && ++sends === 1) {
        return { result: { status: 'PENDING', hash: '0'.repeat(64), latestLedger: 1 } };
      }
      return method === 'getTransaction'
        ? (result) =>
            result['status'] === 'NOT_FOUND' ? { ...result, latestLedger: 4_000_000_000 } : result
        : undefined;
    });
    const { body } = await settle(await fresh());
    assert.equal(body.success, false);
    assert.equal(body.errorReason, 'settle_exact_stellar_transaction_failed');
    assert.match(body.transaction ?? '', /^[0-9a-f]{64}$/);
    assert.equal(sends, 2);
    assert.equal(await received(), before);
    rpc.heal();
    // The channel continues with the number after the fence's.
    assert.equal((await settle(await fresh())).body.success, true);
  });

  it('a server that once named too high a ledger does not stop a channel for good', async () => {
    rpc.fault((method) =>
      method === 'getLedgerEntries'
        ? (result) => ({ ...result, latestLedger: 4_000_000_000 })
        : undefined,
    );
    const other = await startFacilitator({
      ...facilitatorOptions(local),
      rpcUrl: rpc.url,
      clock: hurried,
    });
    try {
      rpc.heal();
      const { body } = await post(other.url, '/settle', await fresh());
      assert.equal(body.success, true);
    } finally {
      await other.close();
    }
  });

  it('a wrong sequence number, then a ledger without answer: never submitted, no hash', async () => {
    // Someone else uses the channels' keys: the count kept by the service is then wrong for each.
    for (const { secret } of local.ledger.accounts.channels) {
      const channel = openSigner(secret);
      assert.ok(channel);
      const nothing = new xdr.BumpSequenceOp({ bumpTo: 0n });
      await submit(local, channel, [xdr.OperationBody.bumpSequence(nothing)]);
    }
    const request = await fresh();
    let simulations = 0;
    rpc.fault((method) =>
      method === 'simulateTransaction' && ++simulations > 1 ? 'reset' : undefined,
    );
    const refused = await settle(request);
    assert.ok(simulations > 1, 'the first submission was refused, and a second one prepared');
    assert.equal(refused.body.errorReason, 'settle_exact_stellar_transaction_submission_failed');
    assert.equal(refused.body.transaction, '');
    rpc.heal();
    assert.equal((await settle(request)).body.success, true);
  });
});
