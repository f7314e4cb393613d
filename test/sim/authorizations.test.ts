import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import type { SettleOutcome, VerifyOutcome } from '../../src/server/facilitator/index.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { PAYER, STRANGER } from '../support/payment.ts';
import { JournalSnapshot } from './journalSnapshot.ts';
import { ModelScene } from './modelScene.ts';
import { hashOf, rejectionOf } from './outcomes.ts';

/** What an answer says of the money: the code, the statement, the hash that it names, the last ledger. */
function moneyIn(outcome: SettleOutcome | VerifyOutcome): readonly unknown[] {
  const { code, known } = rejectionOf(outcome) ?? {};
  return [outcome.status, code, known?.moneyMoved, known?.hash ?? known?.until];
}

const REPLAYED = (hash: unknown) => ['rejected', 'authorization_replayed', 'yes', hash];

describe('An authorization that another facilitator settled', () => {
  it('is paid, for /settle and /verify, with the hash of the other transaction', async () => {
    const scene = await ModelScene.open();
    const other = await scene.elsewhere();
    const request = scene.payment();
    const hash = hashOf(await other.settled(request));
    assert.deepEqual(moneyIn(await scene.settled(request)), REPLAYED(hash));
    const verified = await scene.until(scene.facilitator.verify(request));
    assert.deepEqual(moneyIn(verified), ['invalid', 'authorization_replayed', 'yes', hash]);
  });

  it('is paid, although this facilitator’s own transaction failed; and that does not count against the payer', async () => {
    const scene = await ModelScene.open();
    const other = await scene.elsewhere();
    for (let round = 0; round < 3; round++) {
      const request = scene.payment();
      const theirs = other.settle(request);
      await scene.pass(500);
      const ours = await scene.settled(request);
      const hash = hashOf(await scene.until(theirs));
      assert.notEqual(hash, undefined);
      assert.deepEqual(moneyIn(ours), REPLAYED(hash));
      const { state, moneyMoved, hash: named } = (await scene.until(scene.status())) ?? {};
      assert.deepEqual([state, moneyMoved, named], ['failed', 'yes', hash]);
      assert.deepEqual(moneyIn(await scene.until(scene.settle(request))), REPLAYED(hash));
    }
    const next = await scene.another();
    assert.equal((await next.settled(next.payment({ entry: { nonce: 99n } }))).status, 'settled');
  });

  it('is paid, if the seller submitted the entry itself', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const hash = scene.submitBySeller(request);
    const outcome = await scene.settled(request);
    assert.deepEqual(moneyIn(outcome), REPLAYED(hash));
  });

  it('is paid, after its nonce was forgotten: the payer’s movements show it', async () => {
    const scene = await ModelScene.open();
    const other = await scene.elsewhere();
    const request = scene.payment();
    const hash = hashOf(await other.settled(request));
    scene.ledger.closeUntil(2_000);
    scene.ledger.forgetNonces();
    assert.deepEqual(moneyIn(await scene.settled(request)), REPLAYED(hash));
  });

  it('is paid under any other terms, and keeps the reason of the refusal', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const hash = hashOf(await scene.settled(request));
    const terms = [
      ['wrong_amount', { amount: '5' }],
      ['wrong_recipient', { payTo: STRANGER.address }],
      ['wrong_asset', { asset: 'CAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQC526' }],
      ['network_mismatch', { network: 'eip155:1' }],
    ] as const;
    for (const [code, changed] of terms) {
      const paymentRequirements = { ...request.paymentRequirements, ...changed };
      const outcome = await scene.until(scene.settle({ ...request, paymentRequirements }));
      assert.deepEqual(moneyIn(outcome), ['rejected', code, 'yes', hash], code);
    }
  });
});

describe('An authorization that can still pay', () => {
  it('is not “no”, whatever the refusal: it says until when, and that the same one may be presented', async () => {
    const scene = await ModelScene.open();
    const { send, simulate } = scene.network;
    const request = scene.payment();
    const open = (code: string) => ['rejected', code, 'not_yet', 1_050];
    scene.network.send = () => Promise.reject(new RpcError('unreachable', 'sendTransaction', 'no'));
    assert.deepEqual(moneyIn(await scene.settled(request)), open('submission_failed'));
    scene.network.send = send;
    scene.network.simulate = () =>
      Promise.reject(new RpcError('refused', 'simulateTransaction', 'no', { rpcCode: -32_602 }));
    assert.deepEqual(moneyIn(await scene.settled(request)), open('submission_failed'));
    scene.network.simulate = simulate;
    const cheaper = {
      ...request,
      paymentRequirements: { ...request.paymentRequirements, amount: '5' },
    };
    assert.deepEqual(moneyIn(await scene.settled(cheaper)), open('wrong_amount'));
    await scene.pass(1);
    assert.equal((await scene.settled(request)).status, 'settled');
  });

  it('is open after its transaction failed on the ledger, and “fees” once it has expired unused', async () => {
    const scene = await ModelScene.open();
    scene.ledger.refuses = true;
    const request = scene.payment();
    const outcome = await scene.settled(request);
    const hash = scene.takenHash;
    assert.deepEqual(rejectionOf(outcome)?.known?.until, 1_050);
    assert.deepEqual(moneyIn(outcome), ['failed', 'transaction_failed', 'not_yet', hash]);
    scene.ledger.closeUntil(1_051);
    const after = await scene.until(scene.settle(request));
    assert.deepEqual(moneyIn(after), ['rejected', 'authorization_replayed', 'fees', hash]);
    const { moneyMoved } = (await scene.until(scene.status())) ?? {};
    assert.equal(moneyMoved, 'fees');
  });

  it('is unknown while the ledger cannot be read', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const cheaper = {
      ...request,
      paymentRequirements: { ...request.paymentRequirements, amount: '5' },
    };
    scene.network.readEntries = () =>
      Promise.reject(new RpcError('timeout', 'getLedgerEntries', 'no answer'));
    assert.deepEqual(moneyIn(await scene.settled(cheaper)).slice(0, 3), [
      'rejected',
      'wrong_amount',
      'unknown',
    ]);
  });

  it('is not void on one answer of a server that names a ledger far ahead', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const cheaper = {
      ...request,
      paymentRequirements: { ...request.paymentRequirements, amount: '5' },
    };
    const { readEntries } = scene.network;
    let reads = 0;
    scene.network.readEntries = async (keys) => {
      const answer = await readEntries(keys);
      reads += 1;
      return reads === 1 ? { ...answer, latestLedger: 90_000 } : answer;
    };
    assert.notEqual(rejectionOf(await scene.settled(cheaper))?.known?.moneyMoved, 'no');
  });
});

describe('An authorization that can never pay', () => {
  it('is “no” without a valid signature, and its history is not searched', async () => {
    const scene = await ModelScene.open();
    let searches = 0;
    const { searchMovements } = scene.network;
    scene.network.searchMovements = (movement, range) => {
      searches += 1;
      return searchMovements(movement, range);
    };
    const forger = { ...PAYER, sign: (hash: Uint8Array) => STRANGER.sign(hash) };
    const forged = scene.payment({ entry: { signer: forger }, amount: 7n });
    assert.deepEqual(moneyIn(await scene.settled(forged)).slice(1, 3), ['wrong_amount', 'no']);
    const unsigned = scene.payment({ entry: { signer: null }, amount: 7n });
    assert.deepEqual(moneyIn(await scene.settled(unsigned)).slice(1, 3), ['wrong_amount', 'no']);
    scene.ledger.closeUntil(1_200);
    const late = await scene.settled(unsigned);
    assert.deepEqual(moneyIn(late).slice(1, 3), ['wrong_amount', 'unknown']);
    assert.equal(searches, 0);
  });

  it('is “no” once it has expired, if the whole history shows that nothing used it', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment({ to: toScAddress(STRANGER.address) });
    scene.ledger.closeUntil(1_200);
    assert.deepEqual(moneyIn(await scene.settled(request)).slice(1, 3), ['wrong_recipient', 'no']);
  });
});

describe('A journal that was lost', () => {
  it('changes nothing about what is said of a payment that settled', async () => {
    const scene = await ModelScene.open();
    const request = scene.payment();
    const hash = hashOf(await scene.settled(request));
    const restored = await scene.restored();
    assert.deepEqual(moneyIn(await restored.settled(request)), REPLAYED(hash));
    assert.equal(await restored.until(restored.status()), undefined);
    const { nonce } = restored;
    const byNonce = await restored.until(
      restored.facilitator.askLedger({ payer: PAYER.address, nonce }),
    );
    assert.deepEqual([byNonce.moneyMoved, byNonce.hash], ['yes', hash]);
    const byHash = await restored.until(
      restored.facilitator.askLedger({ hash: hash ?? ('' as never) }),
    );
    assert.deepEqual([byHash.moneyMoved, byHash.hash, byHash.ledger], ['yes', hash, 1_001]);
  });

  it('while the payment was on its way: the new transaction meets the old one, which paid', async () => {
    const scene = await ModelScene.open();
    const before = await JournalSnapshot.of(scene.store);
    const request = scene.payment();
    await scene.hangAt('lookUp', request);
    const hash = scene.takenHash;
    // It bids another fee, so that its transaction has another hash.
    const restored = await scene.restored(before, { config: { inclusionFeeStroops: 300n } });
    assert.deepEqual(moneyIn(await restored.settled(request)), REPLAYED(hash));
    assert.deepEqual(restored.ledger.settledAs(`${PAYER.address}:1`), [hash]);
  });

  it('a start says that the ledger is ahead of the journal', async () => {
    const scene = await ModelScene.open();
    const gaps = (of: ModelScene) =>
      of.log.filter(({ message }) => /looked up on the ledger/.test(message));
    // Every channel has a record.
    for (let paid = 0; paid < 60; paid += 1) await scene.settled(scene.payment());
    const before = await JournalSnapshot.of(scene.store);
    assert.deepEqual(gaps(scene), []);
    await scene.settled(scene.payment());
    await scene.settled(scene.payment());
    const restored = await scene.restored(before);
    const [{ level, fields } = assert.fail('nothing is said')] = gaps(restored);
    assert.equal(level, 'warn');
    assert.equal((fields as { transactions: string }).transactions, '2');
    const complete = await scene.restored(await JournalSnapshot.of(scene.store));
    assert.deepEqual(gaps(complete), []);
    const lost = await scene.restored();
    assert.equal(gaps(lost)[0]?.level, 'info');
  });

  it('knows nothing of a hash or a nonce that no ledger shows, and does not say “no”', async () => {
    const scene = await ModelScene.open();
    const hash = 'a'.repeat(64) as never;
    assert.equal((await scene.until(scene.facilitator.askLedger({ hash }))).moneyMoved, 'unknown');
    const by = { payer: PAYER.address, nonce: 5n };
    assert.equal((await scene.until(scene.facilitator.askLedger(by))).moneyMoved, 'unknown');
  });
});
