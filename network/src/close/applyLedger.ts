import { xdr } from '@stellar/stellar-sdk';
import {
  type AccountIdString,
  accountIdString,
  entryXdr,
  type LedgerKeyId,
  LedgerTxn,
} from '../state/index.ts';
import { setMaxSeqNumToApply } from '../transaction/balances/index.ts';
import {
  applyClassicOperations,
  applySorobanOperation,
  chargeFee,
  type ParsedTransaction,
  prepareSorobanTransaction,
  prepareTransaction,
  prngSeedOf,
  type ReadArchive,
  refundFee,
  SorobanLedger,
  type TransactionEnvironment,
  TransactionMetaBuilder,
  type TransactionOutcome,
} from '../transaction/index.ts';
import { encodeXdr, hashXdr } from '../xdr/index.ts';
import { type Amend, type Amended, applyAmendment } from './amendment.ts';
import { type Eviction, evictKeys, expiredKeys } from './evict.ts';
import type { LedgerEngine } from './ledgerEngine.ts';
import { headerHash } from './sealHeader.ts';
import {
  allTransactions,
  type PlacedTransaction,
  type TransactionPhases,
} from './transactionSet.ts';
import { addWindowSample, applyUpgrade } from './upgrades/applyUpgrade.ts';

const NO_EXT = xdr.ExtensionPoint.v0();

/** A transaction while its ledger is being applied. */
interface TransactionRecord {
  readonly placed: PlacedTransaction;
  /** Position in the order of application, over all phases. */
  readonly index: number;
  readonly outcome: TransactionOutcome;
  readonly meta: TransactionMetaBuilder;
  /** What charging the fee changed. */
  readonly feeChanges: xdr.LedgerEntryChange[];
  /** What the refund changed, after all transactions. */
  refundChanges: xdr.LedgerEntryChange[];
}

function resultPairOf({ placed, outcome }: TransactionRecord): xdr.TransactionResultPair {
  return new xdr.TransactionResultPair({
    transactionHash: placed.tx.hash,
    result: outcome.toXdr(),
  });
}

function resultMetaOf(
  record: TransactionRecord,
  result: xdr.TransactionResultPair,
): xdr.TransactionResultMetaV1 {
  return new xdr.TransactionResultMetaV1({
    ext: NO_EXT,
    result,
    feeProcessing: record.feeChanges,
    txApplyProcessing: record.meta.toXdr(record.outcome),
    postTxApplyFeeProcessing: record.refundChanges,
  });
}

/** The input for closing a ledger. */
interface LedgerInput {
  /** The value that the network agreed on: close time, hash of the transaction set, upgrades. */
  readonly value: xdr.StellarValue;
  /** The transactions of the set, in application order. */
  readonly phases: TransactionPhases;
  /** The hash of the last ledger, if it is already known or the header is not. */
  readonly previousLedgerHash?: Uint8Array;
  /** Keys to evict from the live state. Undefined: those of expired entries. */
  readonly evictedKeys?: readonly xdr.LedgerKey[];
  /** Undefined: one more than that of the last ledger. */
  readonly sequence?: number | undefined;
  /** Changes made by hand, in place of the upgrades. */
  readonly amend?: Amend | undefined;
}

/** A computed ledger that is not yet committed to the state. */
export interface AppliedLedger {
  /** Complete but for the hash of the state and the skip list. */
  readonly header: xdr.LedgerHeader;
  readonly records: readonly TransactionRecord[];
  readonly txProcessing: readonly xdr.TransactionResultMetaV1[];
  readonly upgradesProcessing: readonly xdr.UpgradeEntryMeta[];
  readonly evictedKeys: readonly xdr.LedgerKey[];
  /**
   * Commits all changes to the state, including the header without the hash of the state. If this throws, because a value has
   * no XDR or the host refuses a module, the state is unchanged.
   * @returns a function that takes the changes back, which works until the next ledger is committed
   */
  commit(): () => void;
}

/**
 * Computes the next ledger on top of the engine's state, which does not change until the result is
 * committed (stellar-core `LedgerManagerImpl::applyLedger`): fees of all transactions, the classic
 * phase, the Soroban phase, refunds, upgrades, evictions.
 */
export function applyLedger(engine: LedgerEngine, input: LedgerInput): AppliedLedger {
  const { state } = engine;
  const env = engine.environment();
  const ltx = new LedgerTxn(state);
  ltx.header = openHeader(state.header, input);
  const records = chargeFees(ltx, allTransactions(input.phases), env);
  const restored = applyTransactions(ltx, engine, env, input, records);
  const ordered = [...records.values()];
  for (const record of ordered) refund(ltx, record);
  const results = ordered.map(resultPairOf);
  const txSetResultHash = hashXdr(new xdr.TransactionResultSet({ results }));
  ltx.header = new xdr.LedgerHeader({ ...ltx.header, txSetResultHash });
  const amended = input.amend && applyAmendment(ltx, input.amend);
  const upgradesProcessing = amended ? [amended.meta] : applyUpgrades(ltx, engine, input.value);
  const eviction = evict(ltx, engine, env, input, amended);
  sampleStateSize(ltx, engine);
  return {
    header: ltx.header,
    records: ordered,
    txProcessing: ordered.map((record, at) =>
      resultMetaOf(record, results[at] ?? resultPairOf(record)),
    ),
    upgradesProcessing,
    evictedKeys: eviction.keys,
    commit: () =>
      commit(engine, ltx, [...restored, ...(amended?.moves.restored.keys() ?? [])], eviction),
  };
}

function openHeader(
  last: xdr.LedgerHeader,
  { value, previousLedgerHash, sequence }: LedgerInput,
): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ...last,
    ledgerSeq: sequence ?? last.ledgerSeq + 1,
    previousLedgerHash: previousLedgerHash ?? headerHash(last),
    scpValue: value,
  });
}

function applyTransactions(
  ltx: LedgerTxn,
  engine: LedgerEngine,
  env: TransactionEnvironment,
  { phases, value }: LedgerInput,
  records: ReadonlyMap<PlacedTransaction, TransactionRecord>,
): ReadonlySet<LedgerKeyId> {
  const recordsOf = (placed: readonly PlacedTransaction[]): TransactionRecord[] =>
    placed.flatMap((one) => records.get(one) ?? []);
  for (const { placed, outcome, meta } of recordsOf(phases.classic)) {
    prepareTransaction(ltx, placed.tx, env, outcome, meta);
    if (outcome.success) applyClassicOperations(ltx, placed.tx, env, outcome, meta);
  }
  const stages = phases.stages.map((stage) => stage.map(recordsOf));
  const archived = (id: LedgerKeyId): xdr.LedgerEntry | undefined => engine.state.archived(id);
  return applySorobanPhase(ltx, stages, env, archived, value.txSetHash.value);
}

function refund(ltxLedger: LedgerTxn, record: TransactionRecord): void {
  const { placed, outcome, meta } = record;
  if (outcome.refundable === undefined) return;
  const ltx = ltxLedger.child();
  const stroops = refundFee(ltx, placed.tx, outcome);
  meta.addFee('refunded', placed.tx.feeSource, stroops);
  record.refundChanges = ltx.changes();
  ltx.commit();
}

/** Skips an invalid upgrade. */
function applyUpgrades(
  ltxLedger: LedgerTxn,
  engine: LedgerEngine,
  { upgrades }: xdr.StellarValue,
): xdr.UpgradeEntryMeta[] {
  const applied: xdr.UpgradeEntryMeta[] = [];
  for (const { value } of upgrades) {
    const upgrade = xdr.LedgerUpgrade.fromXdr(value);
    const ltx = ltxLedger.child();
    const valid = applyUpgrade(ltx, upgrade, {
      newestProtocol: engine.host.protocol,
      stateSize: (view) => engine.stateSize(view),
    });
    if (!valid) continue;
    applied.push(new xdr.UpgradeEntryMeta({ upgrade, changes: ltx.changes() }));
    ltx.commit();
  }
  return applied;
}

function evict(
  ltx: LedgerTxn,
  engine: LedgerEngine,
  env: TransactionEnvironment,
  { evictedKeys }: LedgerInput,
  amended: Amended | undefined,
): Eviction {
  const { maxEntriesToArchive } = env.settings.archival;
  const keys = evictedKeys ?? expiredKeys(ltx, engine.contracts, maxEntriesToArchive);
  return evictKeys(ltx, [...keys, ...(amended?.moves.evicted ?? [])]);
}

/** At regular intervals, a ledger records how large the state was before it. */
function sampleStateSize(ltx: LedgerTxn, engine: LedgerEngine): void {
  const { archival } = engine.settings(ltx);
  if (ltx.header.ledgerSeq % archival.liveSorobanStateSizeWindowSamplePeriod !== 0) return;
  addWindowSample(ltx, engine.stateSize(ltx));
}

function commit(
  engine: LedgerEngine,
  ltx: LedgerTxn,
  restored: readonly LedgerKeyId[],
  { archived }: Eviction,
): () => void {
  const { state } = engine;
  const { header } = state;
  const changes = [...ltx.entryChanges()];
  for (const { after } of changes) if (after !== undefined) entryXdr(after);
  encodeXdr(ltx.header);
  const archive = [...restored, ...archived.map(({ id }) => id)].map(
    (id) => [id, state.archived(id)] as const,
  );
  engine.absorb(changes);
  for (const id of restored) state.unarchive(id);
  for (const { id, entry } of archived) state.archive(id, entry);
  ltx.commit();
  return () => {
    const back = changes.map(({ id, before, after }) => ({ id, before: after, after: before }));
    engine.absorb(back);
    state.absorb(back, header);
    for (const [id, entry] of archive) {
      if (entry === undefined) state.unarchive(id);
      else state.archive(id, entry);
    }
  };
}

/**
 * Charges the fees of all transactions of a ledger before the first one is applied
 * (stellar-core `LedgerManagerImpl::processFeesSeqNums`).
 *
 * @returns a function that returns the record of each transaction
 */
function chargeFees(
  ltxLedger: LedgerTxn,
  transactions: readonly PlacedTransaction[],
  env: TransactionEnvironment,
): Map<PlacedTransaction, TransactionRecord> {
  const records = new Map<PlacedTransaction, TransactionRecord>();
  for (const [index, placed] of transactions.entries()) {
    const { tx, baseFee } = placed;
    const ltx = ltxLedger.child();
    const outcome = chargeFee(ltx, tx, baseFee);
    const meta = new TransactionMetaBuilder(tx, env);
    meta.addFee('charged', tx.feeSource, outcome.feeCharged);
    const feeChanges = ltx.changes();
    records.set(placed, { placed, index, outcome, meta, feeChanges, refundChanges: [] });
    ltx.commit();
  }
  if (transactions.some(({ tx }) => mergesAccount(tx))) noteSequences(ltxLedger, transactions);
  return records;
}

/** An account must not be merged away while a transaction of this ledger needs its sequence number. */
function noteSequences(ltx: LedgerTxn, transactions: readonly PlacedTransaction[]): void {
  const highest = new Map<AccountIdString, ParsedTransaction>();
  for (const { tx } of transactions) {
    const account = accountIdString(tx.inner.source);
    const before = highest.get(account);
    if (before === undefined || before.inner.seqNum < tx.inner.seqNum) highest.set(account, tx);
  }
  for (const { inner } of highest.values()) setMaxSeqNumToApply(ltx, inner.source, inner.seqNum);
}

function mergesAccount({ inner }: ParsedTransaction): boolean {
  return inner.operations.some(({ body }) => body.type === 'accountMerge');
}

/** The records of a stage, cluster by cluster. */
type RecordStage = readonly (readonly TransactionRecord[])[];

/**
 * Applies the Soroban phase. All its transactions are checked and use up their sequence numbers before the first operation
 * runs; the stages then run one after another (stellar-core `LedgerManagerImpl::applySorobanStages`).
 *
 * @returns the keys of the entries restored from the archive
 */
function applySorobanPhase(
  ltxLedger: LedgerTxn,
  stages: readonly RecordStage[],
  env: TransactionEnvironment,
  archived: ReadArchive,
  txSetHash: Uint8Array,
): ReadonlySet<LedgerKeyId> {
  for (const { placed, outcome, meta } of stages.flat(2)) {
    prepareSorobanTransaction(ltxLedger, placed.tx, env, outcome, meta);
  }
  const ltx = ltxLedger.child();
  const ledger = new SorobanLedger(ltx, archived);
  for (const stage of stages) {
    for (const cluster of stage) {
      for (const { placed, outcome, meta, index } of cluster) {
        const seed = prngSeedOf(txSetHash, index);
        applySorobanOperation(ledger, placed.tx, env, outcome, meta, seed);
      }
      ledger.endCluster();
    }
    ledger.endStage();
  }
  ltx.commit();
  return ledger.restored;
}
