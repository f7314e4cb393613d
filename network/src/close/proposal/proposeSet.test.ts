import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { genesisKeys, genesisState, networkIdOf } from '../../genesis/index.ts';
import { type NetworkSettings, SettingsReader } from '../../settings/index.ts';
import { ParsedTransaction } from '../../transaction/index.ts';
import { proposeSet } from '../proposeSet.ts';
import { allTransactions, phasesOf } from '../transactionSet.ts';

const networkId = networkIdOf('Test SDF Network ; September 2015');
const state = genesisState(27, networkId, genesisKeys(networkId, 'proposals'));
const { header } = state;
const settings = new SettingsReader().read(state);

const account = (number: number): Uint8Array => new Uint8Array(32).fill(number % 251);

function transaction(
  source: number,
  fee: number,
  operations: readonly xdr.Operation[],
  ext: xdr.TransactionExt = xdr.TransactionExt.v0(),
): ParsedTransaction {
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(account(source)),
    fee,
    seqNum: BigInt(source) + 1n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [...operations],
    ext,
  });
  const envelope = new xdr.TransactionV1Envelope({ tx, signatures: [] });
  return new ParsedTransaction(networkId, xdr.TransactionEnvelope.envelopeTypeTx(envelope));
}

const bump = new xdr.Operation({
  sourceAccount: null,
  body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 0n })),
});

const classic = (source: number, bid: number, operations = 1): ParsedTransaction =>
  transaction(source, bid * operations, Array(operations).fill(bump));

const restore = new xdr.Operation({
  sourceAccount: null,
  body: xdr.OperationBody.restoreFootprint(
    new xdr.RestoreFootprintOp({ ext: xdr.ExtensionPoint.v0() }),
  ),
});

interface Touch {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

const code = (number: number): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: account(number) }));

function soroban(
  source: number,
  { reads, writes }: Touch,
  instructions = 1_000_000,
  bid = 100,
): ParsedTransaction {
  const resources = new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({
      readOnly: reads.map(code),
      readWrite: writes.map(code),
    }),
    instructions,
    diskReadBytes: 100,
    writeBytes: 100,
  });
  const data = new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources,
    resourceFee: 1_000n,
  });
  return transaction(source, 1_000 + bid, [restore], xdr.TransactionExt.sorobanData(data));
}

const hashes = (transactions: readonly ParsedTransaction[]): string[] =>
  transactions.map(({ hash }) => hash.toString('hex')).sort();

describe('the set of the next ledger', () => {
  it('is read back unchanged', () => {
    const waiting = [classic(1, 100), classic(2, 300, 3), soroban(3, { reads: [], writes: [1] })];
    const { set, phases } = proposeSet(waiting, header, settings);
    const read = phasesOf(set, networkId);
    const flat = (from: typeof phases): unknown[] =>
      allTransactions(from).map(({ tx, baseFee }) => [tx.hash.toString('hex'), baseFee]);
    assert.deepEqual(flat(read), flat(phases));
    assert.deepEqual(hashes(allTransactions(phases).map(({ tx }) => tx)), hashes(waiting));
  });

  it('costs everybody the network fee while there is room', () => {
    const { phases } = proposeSet([classic(1, 5_000), classic(2, 100)], header, settings);
    assert.deepEqual(
      phases.classic.map(({ baseFee }) => baseFee),
      [100n, 100n],
    );
  });

  it('takes the highest bids when there is no room, and all pay the lowest of them', () => {
    const room = header.maxTxSetSize / 100;
    const waiting = Array.from({ length: room + 3 }, (_, at) => classic(at, 200 + at, 100));
    const { phases } = proposeSet(waiting, header, settings);
    assert.equal(phases.classic.length, room);
    const [{ baseFee } = { baseFee: null }] = phases.classic;
    assert.equal(baseFee, 203n);
    assert.ok(phases.classic.every(({ tx }) => tx.fee >= 203n * 100n));
  });

  it('has its transactions in the order of their hashes', () => {
    const waiting = Array.from({ length: 20 }, (_, at) => classic(at, 100));
    const { phases } = proposeSet(waiting, header, settings);
    const order = phases.classic.map(({ tx }) => tx.fullHash.toString('hex'));
    assert.deepEqual(order, [...order].sort());
  });

  it('states no fee if nobody pays one', () => {
    const { set } = proposeSet([], header, settings);
    const [first, second] = set.v1TxSet.phases;
    assert.deepEqual(first?.toJson(), { v0: [] });
    assert.deepEqual(second?.toJson(), { v1: { base_fee: null, execution_stages: [] } });
  });
});

describe('the Soroban phase', () => {
  const touches = fc.record({
    reads: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
    writes: fc.uniqueArray(fc.nat(9), { maxLength: 2 }),
  });

  it('never has two transactions in different clusters if one writes what the other touches', () => {
    fc.assert(
      fc.property(fc.array(touches, { maxLength: 12 }), (all) => {
        const waiting = all.map((touch, at) => soroban(at, touch));
        const { phases } = proposeSet(waiting, header, settings);
        assert.ok(phases.stages.length <= 1);
        const clusters = phases.stages[0] ?? [];
        assert.ok(clusters.length <= settings.parallelCompute.ledgerMaxDependentTxClusters);
        assert.equal(clusters.flat().length, waiting.length);
        for (const [at, cluster] of clusters.entries()) {
          const others = clusters.filter((_, other) => other !== at).flat();
          for (const { tx } of cluster) {
            for (const { tx: other } of others) assert.equal(conflict(tx, other), false);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('leaves out transactions that would need more sequential instructions than a ledger has', () => {
    const half = Number(settings.compute.ledgerMaxInstructions) / 2;
    const same = { reads: [], writes: [1] };
    const waiting = [1, 2, 3].map((source) => soroban(source, same, half, 100 * source));
    const { phases } = proposeSet(waiting, header, settings);
    const chosen = allTransactions(phases);
    assert.equal(chosen.length, 2);
    assert.deepEqual(hashes(chosen.map(({ tx }) => tx)), hashes(waiting.slice(1)));
    // Somebody found no place: the two pay what the lower of them bid.
    assert.deepEqual(
      chosen.map(({ baseFee }) => baseFee),
      [200n, 200n],
    );
  });

  it('runs transactions that touch nothing in common in parallel', () => {
    const full = Number(settings.compute.ledgerMaxInstructions);
    const waiting = [1, 2].map((at) => soroban(at, { reads: [9], writes: [at] }, full));
    const { phases } = proposeSet(waiting, header, settings);
    assert.equal(phases.stages[0]?.length, 2);
  });

  /** How many of three transactions find a place under limits of the ledger. */
  function chosenUnder(change: Partial<NetworkSettings>): number {
    const waiting = [1, 2, 3].map((at) => soroban(at, { reads: [9], writes: [at] }));
    const { phases } = proposeSet(waiting, header, { ...settings, ...change });
    return allTransactions(phases).length;
  }
  const lanes = (ledgerMaxTxCount: number) =>
    new xdr.ConfigSettingContractExecutionLanesV0({ ledgerMaxTxCount });
  const cost = (change: Partial<xdr.ConfigSettingContractLedgerCostV0>) => ({
    ledgerCost: new xdr.ConfigSettingContractLedgerCostV0({ ...settings.ledgerCost, ...change }),
  });
  const sizes = (ledgerMaxTxsSizeBytes: number) =>
    new xdr.ConfigSettingContractBandwidthV0({ ...settings.bandwidth, ledgerMaxTxsSizeBytes });
  const { size } = soroban(1, { reads: [9], writes: [1] }).inner;

  for (const [name, room, limit] of [
    ['transactions', 1, (count: number) => ({ lanes: lanes(count) })],
    ['entries read from disk', 1, (count: number) => cost({ ledgerMaxDiskReadEntries: count })],
    ['bytes read from disk', 100, (bytes: number) => cost({ ledgerMaxDiskReadBytes: bytes })],
    ['entries written', 1, (count: number) => cost({ ledgerMaxWriteLedgerEntries: count })],
    ['bytes written', 100, (bytes: number) => cost({ ledgerMaxWriteBytes: bytes })],
    ['bytes of envelopes', size, (bytes: number) => ({ bandwidth: sizes(bytes) })],
  ] as const) {
    it(`takes as many as fit into a ledger’s ${name}`, () => {
      assert.deepEqual(
        [2 * room, 3 * room - 1, 3 * room].map((most) => chosenUnder(limit(most))),
        [2, 2, 3],
      );
    });
  }

  const parallel = (ledgerMaxDependentTxClusters: number) =>
    new xdr.ConfigSettingContractParallelComputeV0({ ledgerMaxDependentTxClusters });

  it('fills its clusters evenly', () => {
    const full = Number(settings.compute.ledgerMaxInstructions);
    // Largest first, each into the emptiest: 0.6 and 0.4 in one cluster, 0.5 and 0.5 in the other.
    const parts = [0.6, 0.5, 0.5, 0.4];
    const waiting = parts.map((part, at) => soroban(at, { reads: [], writes: [at] }, full * part));
    const two = { ...settings, parallelCompute: parallel(2) };
    const { phases } = proposeSet(waiting, header, two);
    const instructions = (phases.stages[0] ?? []).map((cluster) =>
      cluster.reduce((sum, { tx }) => sum + (tx.inner.sorobanData?.resources.instructions ?? 0), 0),
    );
    assert.deepEqual(instructions, [full, full]);
  });

  it('has clusters and their transactions in the order of their hashes', () => {
    const full = Number(settings.compute.ledgerMaxInstructions);
    const waiting = Array.from({ length: 24 }, (_, at) =>
      soroban(at, { reads: [], writes: [at % 6] }, full / 4),
    );
    const six = { ...settings, parallelCompute: parallel(6) };
    const { phases } = proposeSet(waiting, header, six);
    const clusters = (phases.stages[0] ?? []).map((cluster) =>
      cluster.map(({ tx }) => tx.fullHash.toString('hex')),
    );
    assert.equal(clusters.length, 6);
    for (const cluster of clusters) assert.deepEqual(cluster, [...cluster].sort());
    const firsts = clusters.map(([first]) => first);
    assert.deepEqual(firsts, [...firsts].sort());
  });

  it('keeps within a ledger’s write limits', () => {
    const { ledgerMaxWriteLedgerEntries } = settings.ledgerCost;
    const wide = Array.from({ length: 200 }, (_, at) => at);
    const waiting = Array.from({ length: 7 }, (_, at) =>
      soroban(at, { reads: [], writes: wide }, 1),
    );
    const { phases } = proposeSet(waiting, header, settings);
    assert.equal(allTransactions(phases).length, Math.floor(ledgerMaxWriteLedgerEntries / 200));
  });
});

function conflict(a: ParsedTransaction, b: ParsedTransaction): boolean {
  const keys = (tx: ParsedTransaction, kind: 'readOnly' | 'readWrite'): string[] =>
    (tx.inner.sorobanData?.resources.footprint[kind] ?? []).map((key) => key.toXdr('base64'));
  const written = new Set(keys(a, 'readWrite'));
  const touched = new Set([...keys(a, 'readOnly'), ...written]);
  return (
    keys(b, 'readWrite').some((key) => touched.has(key)) ||
    keys(b, 'readOnly').some((key) => written.has(key))
  );
}
