import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import {
  by,
  envelopeOf,
  keyOf,
  NETWORK_ID,
  pay,
  resultName,
  sign,
  TestNetwork,
  XLM,
} from '../../test/helpers/testNetwork.ts';
import type { LocalKey } from '../genesis/index.ts';
import { NO_PRECONDITIONS } from '../transaction/envelope/parsedTransaction.ts';

let network: TestNetwork;
let alice: LocalKey;
let bob: LocalKey;
let sponsor: LocalKey;
const stranger = keyOf('stranger');

const verdict = (envelope: xdr.TransactionEnvelope): string =>
  resultName(network.check(envelope).outcome.toXdr());
const preconditions = (change: Partial<xdr.PreconditionsV2>): xdr.Preconditions =>
  xdr.Preconditions.precondV2(
    new xdr.PreconditionsV2({
      ...NO_PRECONDITIONS,
      extraSigners: [],
      ...change,
    }),
  );

before(async () => {
  network = await TestNetwork.open();
  alice = network.account('alice');
  bob = network.account('bob');
  sponsor = network.account('sponsor');
  network.account('thrifty', { balance: XLM + 300n });
  network.account('two of three', {
    thresholds: Uint8Array.of(1, 1, 2, 3),
    signers: [
      new xdr.Signer({
        key: xdr.SignerKey.signerKeyTypeEd25519(alice.publicKey.ed25519),
        weight: 1,
      }),
      new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(bob.publicKey.ed25519), weight: 1 }),
    ],
  });
});

describe('The checks of a complete transaction', () => {
  const payment = () => ({ source: alice, operations: [pay(bob, XLM)] });

  it('accept a valid one', () => {
    assert.equal(verdict(network.signed(payment())), 'txSuccess');
  });

  it('refuse the old envelope form', () => {
    const tx = network.transaction(payment());
    const old = new xdr.TransactionV0({
      sourceAccountEd25519: alice.publicKey.ed25519,
      fee: tx.fee,
      seqNum: tx.seqNum,
      timeBounds: null,
      memo: tx.memo,
      operations: tx.operations,
      ext: xdr.TransactionV0Ext.v0(),
    });
    const signatures = sign(tx, [alice]).value.signatures;
    const envelope = xdr.TransactionEnvelope.envelopeTypeTxV0(
      new xdr.TransactionV0Envelope({ tx: old, signatures }),
    );
    assert.equal(verdict(envelope), 'txNotSupported');
  });

  it('refuse one without operations', () => {
    const empty = network.signed({ source: alice, operations: [], fee: 100n });
    assert.equal(verdict(empty), 'txMissingOperation');
  });

  it('refuse a missing source, or a number that is not the next', () => {
    assert.equal(verdict(network.signed({ ...payment(), source: stranger })), 'txNoAccount');
    assert.equal(verdict(network.signed({ ...payment(), seqNum: 3n })), 'txBadSeq');
  });

  it('refuse a bid below the base fee for each operation', () => {
    const operations = [pay(bob, 1n), pay(bob, 2n)];
    assert.equal(
      verdict(network.signed({ source: alice, operations, fee: 199n })),
      'txInsufficientFee',
    );
    assert.equal(verdict(network.signed({ source: alice, operations, fee: 200n })), 'txSuccess');
  });

  it('refuse one whose time or ledger is over, or has not come yet', () => {
    const { ledgerSeq, scpValue } = network.state.header;
    const within = (change: Partial<xdr.PreconditionsV2>) =>
      verdict(network.signed({ ...payment(), cond: preconditions(change) }));
    const bounds = (minLedger: number, maxLedger: number) => ({
      ledgerBounds: new xdr.LedgerBounds({ minLedger, maxLedger }),
    });
    assert.equal(within(bounds(ledgerSeq + 2, 0)), 'txTooEarly');
    assert.equal(within(bounds(ledgerSeq + 1, ledgerSeq + 2)), 'txSuccess');
    assert.equal(within(bounds(0, ledgerSeq + 1)), 'txTooLate');
    const timeBounds = new xdr.TimeBounds({ minTime: 0n, maxTime: scpValue.closeTime - 1n });
    assert.equal(within({ timeBounds }), 'txTooLate');
  });

  it('refuse one whose account’s number is too young', () => {
    const cond = preconditions({ minSeqLedgerGap: network.state.header.ledgerSeq + 2 });
    assert.equal(verdict(network.signed({ ...payment(), cond })), 'txBadMinSeqAgeOrGap');
  });

  it('refuse a missing or superfluous signature, or one for another network', () => {
    const tx = network.transaction(payment());
    assert.equal(verdict(envelopeOf(tx, [])), 'txBadAuth');
    assert.equal(verdict(sign(tx, [bob])), 'txBadAuth');
    assert.equal(verdict(sign(tx, [alice, bob])), 'txBadAuthExtra');
    assert.equal(verdict(envelopeOf(tx, [alice.decorate(NETWORK_ID)])), 'txBadAuth');
  });

  it('refuse a source that cannot pay above its reserve', () => {
    const draft = { source: keyOf('thrifty'), operations: [pay(bob, 1n)] };
    assert.equal(verdict(network.signed({ ...draft, fee: 300n })), 'txSuccess');
    assert.equal(verdict(network.signed({ ...draft, fee: 301n })), 'txInsufficientBalance');
  });

  it('refuse a classic one with Soroban data, or mixed kinds', () => {
    const resources = new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
      instructions: 0,
      diskReadBytes: 0,
      writeBytes: 0,
    });
    const sorobanData = new xdr.SorobanTransactionData({
      ext: xdr.SorobanTransactionDataExt.v0(),
      resources,
      resourceFee: 0n,
    });
    assert.equal(verdict(network.signed({ ...payment(), sorobanData })), 'txMalformed');
    const restore = xdr.OperationBody.restoreFootprint(
      new xdr.RestoreFootprintOp({ ext: xdr.ExtensionPoint.v0() }),
    );
    const mixed = { source: alice, operations: [pay(bob, 1n), restore] };
    assert.equal(verdict(network.signed(mixed)), 'txMalformed');
    const twice = { source: alice, operations: [restore, restore], sorobanData };
    assert.equal(verdict(network.signed(twice)), 'txMalformed');
  });
});

describe('Extra signers (CAP-21)', () => {
  const extra = (...keys: xdr.SignerKey[]) => ({
    source: alice,
    operations: [pay(bob, 1n)],
    cond: preconditions({ extraSigners: keys }),
  });
  const signerOf = (key: LocalKey) => xdr.SignerKey.signerKeyTypeEd25519(key.publicKey.ed25519);

  it('must all have signed', () => {
    const draft = extra(signerOf(bob), signerOf(stranger));
    assert.equal(verdict(network.signed(draft, [alice, bob])), 'txBadAuth');
    assert.equal(verdict(network.signed(draft, [alice, bob, stranger])), 'txSuccess');
  });

  it('must differ, and sign something', () => {
    assert.equal(verdict(network.signed(extra(signerOf(bob), signerOf(bob)))), 'txMalformed');
    const empty = xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
      new xdr.SignerKeyEd25519SignedPayload({
        ed25519: bob.publicKey.ed25519,
        payload: new Uint8Array(),
      }),
    );
    assert.equal(verdict(network.signed(extra(empty))), 'txMalformed');
  });
});

describe('An operation asks its own source', () => {
  const shared = keyOf('two of three');

  it('for the weight of its threshold', () => {
    const draft = { source: alice, operations: [by(shared, pay(bob, 1n))] };
    const failed = network.check(network.signed(draft, [alice])).outcome.toXdr();
    assert.equal(failed.result.type, 'txFailed');
    assert.deepEqual(
      'results' in failed.result ? failed.result.results.map(({ type }) => type) : [],
      ['opBadAuth'],
    );
    assert.equal(verdict(network.signed(draft, [alice, bob])), 'txSuccess');
    assert.equal(verdict(network.signed(draft, [alice, bob, shared])), 'txBadAuthExtra');
  });

  it('for its own key if an earlier operation creates it', () => {
    const create = xdr.OperationBody.createAccount(
      new xdr.CreateAccountOp({ destination: stranger.publicKey, startingBalance: 10n * XLM }),
    );
    const draft = { source: alice, operations: [create, by(stranger, pay(bob, 1n))] };
    assert.equal(verdict(network.signed(draft, [alice])), 'txFailed');
    assert.equal(verdict(network.signed(draft, [alice, stranger])), 'txSuccess');
  });
});

describe('A fee bump (CAP-15)', () => {
  const inner = (fee: bigint) => network.signed({ source: alice, operations: [pay(bob, 1n)], fee });

  it('pays for one operation more than it wraps', () => {
    assert.equal(verdict(network.feeBump(inner(100n), sponsor, 199n)), 'txInsufficientFee');
    assert.equal(
      verdict(network.feeBump(inner(100n), sponsor, 200n)),
      'txFeeBumpInnerSuccess: txSuccess',
    );
  });

  it('can wrap a transaction that bids less than the base fee', () => {
    assert.equal(
      verdict(network.feeBump(inner(0n), sponsor, 200n)),
      'txFeeBumpInnerSuccess: txSuccess',
    );
  });

  it('bids at least as much for each operation as the inner one, and names the minimum', () => {
    const low = network.check(network.feeBump(inner(1_000n), sponsor, 1_999n)).outcome.toXdr();
    assert.equal(low.result.type, 'txInsufficientFee');
    assert.equal(low.feeCharged, 2_000n);
    assert.equal(
      verdict(network.feeBump(inner(1_000n), sponsor, 2_000n)),
      'txFeeBumpInnerSuccess: txSuccess',
    );
  });

  it('is signed by its source, by nobody else, and payable', () => {
    assert.equal(verdict(network.feeBump(inner(100n), sponsor, 200n, [alice])), 'txBadAuth');
    assert.equal(
      verdict(network.feeBump(inner(100n), sponsor, 200n, [sponsor, alice])),
      'txBadAuthExtra',
    );
    assert.equal(
      verdict(network.feeBump(inner(100n), sponsor, 999n * XLM + 1n)),
      'txInsufficientBalance',
    );
    assert.equal(verdict(network.feeBump(inner(100n), stranger, 200n)), 'txNoAccount');
  });

  it('fails with the inner transaction, whose own fee does not matter', () => {
    const unsigned = network.signed({ source: alice, operations: [pay(bob, 1n)] }, [bob]);
    const result = network.check(network.feeBump(unsigned, sponsor, 200n)).outcome.toXdr();
    assert.equal(resultName(result), 'txFeeBumpInnerFailed: txBadAuth');
    assert.equal(result.feeCharged, 200n);
    const { result: outer } = result;
    assert.equal('innerResultPair' in outer && outer.innerResultPair.result.feeCharged, 0n);
  });

  it('is refused with a negative fee before anything else is looked at', () => {
    assert.equal(verdict(network.feeBump(inner(100n), stranger, -1n)), 'txMalformed');
  });
});
