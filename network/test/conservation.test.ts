import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { LedgerState } from '../src/state/index.ts';
import { assetName } from '../src/transaction/events/collectedEvents.ts';
import { assertCounters } from './conservation/counters.ts';
import { randomEnvelope, signedEnvelope } from './conservation/envelope.ts';
import { Ledgerbook } from './conservation/holdings.ts';
import { Mirror } from './conservation/mirror.ts';
import { root, TestNetwork } from './conservation/network.ts';
import { assertBookNotCrossed, assertLiabilities } from './conservation/offers.ts';
import { opening } from './conservation/opening.ts';
import { assertPoolShares } from './conservation/poolShares.ts';
import { Random } from './conservation/random.ts';
import { Scene } from './conservation/scene.ts';

/** How many random transactions to try, and from which seed: both can be set from outside. */
const TRANSACTIONS = Number(process.env['CONSERVATION_TRANSACTIONS'] ?? 600);
const SEED = Number(process.env['CONSERVATION_SEED'] ?? 1);
const TRANSACTIONS_A_LEDGER = 3;

/** Every classic operation that can succeed. */
const OPERATIONS = [
  'accountMerge',
  'allowTrust',
  'beginSponsoringFutureReserves',
  'bumpSequence',
  'changeTrust',
  'claimClaimableBalance',
  'clawback',
  'clawbackClaimableBalance',
  'createAccount',
  'createClaimableBalance',
  'createPassiveSellOffer',
  'endSponsoringFutureReserves',
  'liquidityPoolDeposit',
  'liquidityPoolWithdraw',
  'manageBuyOffer',
  'manageData',
  'manageSellOffer',
  'pathPaymentStrictReceive',
  'pathPaymentStrictSend',
  'payment',
  'revokeSponsorship',
  'setOptions',
  'setTrustLineFlags',
] as const;

/** A network, the state by its meta, and the state by its events. */
class World {
  readonly network: TestNetwork;
  readonly scene: Scene;
  readonly mirror = new Mirror();
  readonly book: Ledgerbook;
  /** How often each operation was part of a transaction that succeeded. */
  readonly done = new Map<string, number>();
  transactions = 0;
  succeeded = 0;

  constructor(network: TestNetwork, seed: number) {
    this.network = network;
    for (const { xdr: bytes } of network.state.entries()) {
      const entry = xdr.LedgerEntry.fromXdr(bytes);
      if (entry.data.type !== 'configSetting') this.mirror.add(entry);
    }
    this.scene = new Scene(new Random(seed), this.mirror);
    this.book = new Ledgerbook(this.mirror, this.scene.credits, assetName);
    for (const intents of opening(this.scene)) {
      const envelope = signedEnvelope(this.scene, network.networkId, root, intents);
      const before = this.succeeded;
      this.close([envelope]);
      assert.equal(this.succeeded, before + 1, 'the opening succeeds');
    }
    this.done.clear();
  }

  random(): xdr.TransactionEnvelope {
    return randomEnvelope(this.scene, this.network.networkId);
  }

  close(envelopes: readonly xdr.TransactionEnvelope[]): void {
    const processed = this.network.close(envelopes);
    this.scene.startLedger();
    for (const { feeProcessing } of processed) this.mirror.follow(feeProcessing);
    for (const [place, { result, txApplyProcessing }] of processed.entries()) {
      assert.equal(txApplyProcessing.type, 'v4');
      const { txChangesBefore, operations, txChangesAfter, events } = txApplyProcessing.v4;
      this.mirror.follow(txChangesBefore);
      for (const { event } of events) this.book.follow(event);
      for (const operation of operations) {
        this.mirror.follow(operation.changes);
        for (const event of operation.events) this.book.follow(event);
      }
      this.mirror.follow(txChangesAfter);
      this.#count(envelopes[place], result.result);
    }
  }

  #count(envelope: xdr.TransactionEnvelope | undefined, { result }: xdr.TransactionResult): void {
    this.transactions += 1;
    if (result.type !== 'txSuccess' && result.type !== 'txFeeBumpInnerSuccess') return;
    this.succeeded += 1;
    for (const { body } of operationsOf(envelope)) {
      this.done.set(body.type, (this.done.get(body.type) ?? 0) + 1);
    }
  }
}

function operationsOf(envelope: xdr.TransactionEnvelope | undefined): readonly xdr.Operation[] {
  if (envelope?.type === 'envelopeTypeTx') return envelope.v1.tx.operations;
  return envelope?.type === 'envelopeTypeTxFeeBump'
    ? envelope.feeBump.tx.innerTx.v1.tx.operations
    : [];
}

const world = new World(await TestNetwork.start(), SEED);

describe(`Whatever ${TRANSACTIONS} random transactions do`, () => {
  it('each asset is conserved, and counters, liabilities and pools match the entries', () => {
    while (world.transactions < TRANSACTIONS) {
      const envelopes = Array.from({ length: TRANSACTIONS_A_LEDGER }, () => world.random());
      world.close(envelopes);
      const { header } = world.network.state;
      try {
        world.book.assertAgrees(world.mirror, header);
        assertCounters(world.mirror);
        assertLiabilities(world.mirror);
        assertBookNotCrossed(world.mirror);
        assertPoolShares(world.mirror);
        assert.deepEqual(world.network.faults, []);
      } catch (error) {
        const transactions = envelopes.map((envelope) => envelope.toXdr('base64')).join('\n');
        throw new Error(`after ledger ${header.ledgerSeq}, seed ${SEED}:\n${transactions}`, {
          cause: error,
        });
      }
    }
  });

  it('the ledgers’ meta reproduces the complete state, with the same hash', () => {
    const { state } = world.network;
    const rebuilt = new LedgerState(state.header);
    for (const { id, xdr: bytes } of state.entries()) {
      const mirrored = world.mirror.get(id);
      rebuilt.putXdr(id, mirrored?.toXdr() ?? bytes);
    }
    assert.deepEqual(rebuilt.stateHash(), state.stateHash());
    const settings = [...state.entries()].filter(({ id }) => world.mirror.get(id) === undefined);
    assert.equal(world.mirror.entries.size + settings.length, state.size);
  });

  it('every operation succeeded at least once, and a third of all transactions', (t) => {
    t.diagnostic(`${world.succeeded} of ${world.transactions} succeeded`);
    t.diagnostic(
      [...world.done]
        .sort()
        .map(([name, times]) => `${name} ${times}`)
        .join(', '),
    );
    assert.deepEqual(
      OPERATIONS.filter((name) => !world.done.has(name)),
      [],
    );
    assert.ok(world.succeeded > world.transactions / 3);
  });
});
