import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type RpcReply, startScriptedRpc } from '../../../test/support/scriptedRpc.ts';
import { testClock } from '../../../test/support/testClock.ts';
import { settlementHash } from '../../protocol/index.ts';
import { connectNetwork } from '../network/index.ts';
import { lookUntilDecided, send } from './transactionFate.ts';

const hash = settlementHash(new Uint8Array(32));
const transaction = { envelope: 'AAAA', hash };

function result(outcome: xdr.TransactionResultResult): string {
  return new xdr.TransactionResult({
    feeCharged: 60_200n,
    result: outcome,
    ext: xdr.TransactionResultExt.v0(),
  }).toXdr('base64');
}

const sendReply = (status: string, errorResultXdr?: string): RpcReply => ({
  result: { status, hash, latestLedger: 10, latestLedgerCloseTime: '0', errorResultXdr },
});
const badSequence = sendReply('ERROR', result(xdr.TransactionResultResult.txBadSeq()));

const open: { close(): unknown }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

/** Runs against a server that gives these replies in order and repeats the last one. */
async function against(replies: readonly RpcReply[]) {
  let next = 0;
  const rpc = await startScriptedRpc(() => replies[Math.min(next++, replies.length - 1)] ?? 'hang');
  const clock = testClock();
  const network = connectNetwork({ url: rpc.url, certificateAuthority: null }, clock);
  open.push(rpc, network);
  return { rpc, clock, network };
}

describe('A submission is classified on evidence only', () => {
  async function outcome(...replies: RpcReply[]) {
    const { rpc, clock, network } = await against(replies);
    const sent = await send(transaction, network, clock);
    return { ...sent, calls: rpc.calls.length, pauses: clock.slept };
  }

  it('PENDING and DUPLICATE: the network has it', async () => {
    for (const status of ['PENDING', 'DUPLICATE']) {
      assert.equal((await outcome(sendReply(status))).status, 'sent');
    }
  });

  it('[spec: Facilitator codes/submission_failed] TRY_AGAIN_LATER: refused, after a second attempt, which proves nothing yet', async () => {
    const { status, calls } = await outcome(sendReply('TRY_AGAIN_LATER'));
    assert.deepEqual({ status, calls }, { status: 'refused', calls: 2 });
  });

  it('[spec: Limits/Transient-failure retry] two attempts, 6 seconds apart', async () => {
    const again = await outcome(sendReply('TRY_AGAIN_LATER'), sendReply('PENDING'));
    assert.equal(again.status, 'sent');
    assert.deepEqual(again.pauses, [6_000]);
  });

  it('ERROR: refused, not tried again, with the code of the result', async () => {
    const refused = await outcome(badSequence);
    assert.deepEqual(refused, {
      status: 'refused',
      detail: 'ERROR txBadSeq',
      badSequence: true,
      calls: 1,
      pauses: [],
    });
    const fee = sendReply('ERROR', result(xdr.TransactionResultResult.txInsufficientFee()));
    const poor = await outcome(fee);
    assert.deepEqual([poor.status, 'badSequence' in poor && poor.badSequence], ['refused', false]);
  });

  it('no complete answer: it might be in, so only its hash can decide', async () => {
    for (const silence of ['reset', { status: 502, text: '<html>' }] as const) {
      assert.equal((await outcome(silence)).status, 'sent', JSON.stringify(silence));
    }
  });

  it('after silence a refusal proves nothing: it might be about the transaction that is already in', async () => {
    for (const refusal of [badSequence, sendReply('TRY_AGAIN_LATER')]) {
      const { status, calls, pauses } = await outcome('reset', refusal);
      assert.deepEqual({ status, calls, pauses }, { status: 'sent', calls: 2, pauses: [] });
    }
  });

  it('silence at the second attempt, as of a kept connection that was closed in the pause, is answered at once', async () => {
    const later = sendReply('TRY_AGAIN_LATER');
    const taken = await outcome(later, 'reset', sendReply('PENDING'));
    assert.deepEqual(taken, { status: 'sent', calls: 3, pauses: [6_000] });
    const silent = await outcome(later, 'reset', 'reset', 'reset');
    assert.deepEqual(silent, { status: 'sent', calls: 3, pauses: [6_000] });
  });

  it('an error inside the server: it might be in', async () => {
    const internal = { error: { code: -32_603, message: 'could not submit' } };
    assert.equal((await outcome(internal)).status, 'sent');
  });

  it('a request that the server did not understand: refused, because it has the bytes', async () => {
    const invalid = { error: { code: -32_602, message: 'bad params' } };
    assert.equal((await outcome(invalid)).status, 'refused');
  });

  it('no connection: never submitted', async () => {
    const { rpc, clock, network } = await against([sendReply('PENDING')]);
    await rpc.close();
    const sent = await send(transaction, network, clock);
    assert.equal(sent.status, 'never_sent');
    assert.deepEqual(clock.slept, [6_000]);
  });
});

describe('The ledger decides', () => {
  const notFound = (latestLedger: number, oldestLedger = 1): RpcReply => ({
    result: { status: 'NOT_FOUND', latestLedger, oldestLedger },
  });
  const found = (status: string, outcome: xdr.TransactionResultResult): RpcReply => ({
    result: { status, latestLedger: 12, ledger: 11, resultXdr: result(outcome) },
  });
  const inner = (type: xdr.InnerTransactionResultResult) =>
    new xdr.InnerTransactionResultPair({
      transactionHash: new Uint8Array(32),
      result: new xdr.InnerTransactionResult({
        feeCharged: 0n,
        result: type,
        ext: xdr.InnerTransactionResultExt.v0(),
      }),
    });
  const success = found(
    'SUCCESS',
    xdr.TransactionResultResult.txFeeBumpInnerSuccess(
      inner(xdr.InnerTransactionResultResult.txSuccess([])),
    ),
  );

  const bounds = { lastLedger: 20, sentAfter: 8 };

  async function decision(replies: RpcReply[], patience = 60_000) {
    const { clock, network } = await against(replies);
    const decided = await lookUntilDecided(hash, bounds, clock.now() + patience, network, clock);
    return { decided, pauses: clock.slept };
  }

  it('success, with the fee really charged', async () => {
    const { decided } = await decision([notFound(10), success]);
    assert.deepEqual(decided, { status: 'succeeded', ledger: 11, feeCharged: 60_200n });
  });

  it('failure, with the code of the inner transaction', async () => {
    const failed = found(
      'FAILED',
      xdr.TransactionResultResult.txFeeBumpInnerFailed(
        inner(xdr.InnerTransactionResultResult.txFailed([])),
      ),
    );
    const { decided } = await decision([failed]);
    assert.deepEqual(decided, {
      status: 'failed',
      ledger: 11,
      feeCharged: 60_200n,
      resultCode: 'txFailed',
    });
  });

  it('absence once the last ledger that could include it is past', async () => {
    const { decided } = await decision([notFound(20), notFound(21)]);
    assert.deepEqual(decided, { status: 'dropped', ledger: 21 });
  });

  it('absence in a history that begins after the submission proves nothing', async () => {
    const { decided } = await decision([notFound(17_421, 9)]);
    assert.deepEqual(decided, { status: 'unproven', ledger: 17_421 });
  });

  it('looks at once, since a ledger on demand answers when it has closed', async () => {
    const { pauses } = await decision([success]);
    assert.deepEqual(pauses, []);
  });

  it('looks quickly at first, then once a second, and gives up in time', async () => {
    const { decided, pauses } = await decision([notFound(10)], 5_000);
    assert.equal(decided, undefined);
    assert.deepEqual(pauses.slice(0, 10), [1, 3, 10, 25, 60, 120, 250, 500, 1_000, 1_000]);
    assert.ok(pauses.reduce((sum, pause) => sum + pause, 0) <= 5_000);
  });

  it('a lookup that fails decides nothing', async () => {
    const faults: RpcReply[] = [
      'reset',
      { status: 503, text: 'busy' },
      { error: { code: -32_603, message: 'oops' } },
      { result: { status: 'SUCCESS', latestLedger: 12, resultXdr: 'AAAA' } },
      success,
    ];
    const { decided } = await decision(faults);
    assert.equal(decided?.status, 'succeeded');
  });
});
