import { xdr } from '@stellar/stellar-sdk';
import {
  applyLedger,
  applyRecordedLedger,
  givenOrder,
  LedgerEngine,
  phasesOf,
  sealHeader,
  transactionSetHash,
} from '../close/index.ts';
import { LocalKey } from '../genesis/index.ts';
import type { SorobanHost } from '../host/index.ts';
import { initialSettings } from '../settings/index.ts';
import { entryKeyId, LedgerState, newAccount } from '../state/index.ts';
import type { VerifySignature } from '../transaction/index.ts';
import { ledgerDifference } from './compareLedger.ts';
import { type Difference, firstDifference } from './difference.ts';

/** What a replay needs besides the ledgers. */
export interface ReplayOptions {
  readonly networkId: Uint8Array;
  readonly host: SorobanHost;
  readonly verify: VerifySignature;
  /** Whether the host's metering must be as recorded. */
  readonly compareDiagnostics: boolean;
}

/** The verdict on one ledger. */
export interface LedgerVerdict {
  readonly ledgerSeq: number;
  readonly transactions: number;
  /** Undefined if the ledger came out as recorded. */
  readonly difference: Difference | undefined;
}

/**
 * Computes ledgers that were closed elsewhere, starting from genesis, and compares each with its record. A ledger that differs
 * is discarded, and the next one starts from the recorded state.
 */
export function replayLedgers(
  ledgers: readonly xdr.LedgerCloseMetaV2[],
  options: ReplayOptions,
): LedgerVerdict[] {
  const engine = new LedgerEngine(replayGenesis(ledgers, options.networkId), {
    networkId: options.networkId,
    host: options.host,
    verify: options.verify,
    classicEvents: tellsClassicEvents(ledgers),
    diagnostics: tellsDiagnostics(ledgers),
    resourceFeeMeta: tellsResourceFees(ledgers),
  });
  return ledgers.map((recorded) => replayLedger(engine, recorded, options));
}

function replayLedger(
  engine: LedgerEngine,
  recorded: xdr.LedgerCloseMetaV2,
  options: ReplayOptions,
): LedgerVerdict {
  const { header } = recorded.ledgerHeader;
  const difference = judge(engine, recorded, options);
  if (difference !== undefined) applyRecordedLedger(engine, recorded);
  engine.state.header = header;
  return { ledgerSeq: header.ledgerSeq, transactions: recorded.txProcessing.length, difference };
}

function judge(
  engine: LedgerEngine,
  recorded: xdr.LedgerCloseMetaV2,
  { networkId, compareDiagnostics }: ReplayOptions,
): Difference | undefined {
  const { header } = recorded.ledgerHeader;
  const { scpValue, bucketListHash, previousLedgerHash } = header;
  const { ledgerVersion } = engine.state.header;
  if (ledgerVersion !== engine.host.protocol) {
    const got = `a host for protocol ${engine.host.protocol}`;
    return { path: 'header.ledgerVersion', expected: `${ledgerVersion}`, got };
  }
  const setDifference = setHashDifference(recorded);
  if (setDifference !== undefined) return setDifference;
  const order = recorded.txProcessing.map(({ result }) => result.transactionHash.value);
  try {
    const applied = applyLedger(engine, {
      value: scpValue,
      phases: givenOrder(phasesOf(recorded.txSet, networkId), order),
      evictedKeys: recorded.evictedKeys,
      // Genesis cannot be hashed, because its header refers to a bucket list that was not recorded.
      ...(engine.state.header.ledgerSeq === 1
        ? { previousLedgerHash: previousLedgerHash.value }
        : {}),
    });
    const sealed = sealHeader(applied.header, bucketListHash.value);
    const difference = ledgerDifference(recorded, { ...applied, ...sealed }, compareDiagnostics);
    if (difference === undefined) applied.commit();
    return difference;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const got = error.stack ?? error.message;
    return { path: 'ledger', expected: 'a closed ledger', got };
  }
}

/** From protocol 28 on, a value need not refer to a set; its ledger is then empty. */
function setHashDifference({ ledgerHeader, txSet }: xdr.LedgerCloseMetaV2): Difference | undefined {
  const { value } = ledgerHeader.header.scpValue.txSetHash;
  if (value.every((byte) => byte === 0)) return undefined;
  return firstDifference(value, transactionSetHash(txSet), 'header.scpValue.txSetHash');
}

function transactionMetas(ledgers: readonly xdr.LedgerCloseMetaV2[]): xdr.TransactionMetaV4[] {
  return ledgers.flatMap(({ txProcessing }) =>
    txProcessing.flatMap(({ txApplyProcessing: meta }) => (meta.type === 'v4' ? [meta.v4] : [])),
  );
}

/** A network that emits classic events has one for every fee. */
function tellsClassicEvents(ledgers: readonly xdr.LedgerCloseMetaV2[]): boolean {
  return transactionMetas(ledgers).some(({ events }) => events.length > 0);
}

function tellsResourceFees(ledgers: readonly xdr.LedgerCloseMetaV2[]): boolean {
  return transactionMetas(ledgers).some(({ sorobanMeta }) => sorobanMeta?.ext.type === 'v1');
}

/** Diagnostics are on unless contracts ran and the meta has no diagnostic events. */
function tellsDiagnostics(ledgers: readonly xdr.LedgerCloseMetaV2[]): boolean {
  const ran = transactionMetas(ledgers).filter(({ sorobanMeta }) => sorobanMeta?.returnValue);
  return ran.length === 0 || ran.some(({ diagnosticEvents }) => diagnosticEvents.length > 0);
}

const GENESIS_LEDGER = 1;
/** All existing lumens, in stroops; the root account holds them. */
const TOTAL_COINS = 1_000_000_000_000_000_000n;
const ZERO_HASH = new Uint8Array(32);
/** Values of networks that stellar-core starts for tests. */
const BASE_FEE = 100;
const BASE_RESERVE = 100_000_000;
const MAX_TX_SET_SIZE = 50;
/** Maximum number of instructions that a transaction can declare under the initial settings. */
const INITIAL_INSTRUCTIONS = 2_500_000;
const HIGH_MAX_CONTRACT_SIZE = 128_000;

/**
 * The state before the first ledger of a file: the root account, whose seed is the network's id, and the initial settings
 * (stellar-core `LedgerManagerImpl::startNewLedger`). If an upgrade in the file shows that it replaced another value of a
 * setting, the setting starts with that value.
 */
export function replayGenesis(
  ledgers: readonly xdr.LedgerCloseMetaV2[],
  networkId: Uint8Array,
): LedgerState {
  const [first] = ledgers;
  const state = new LedgerState(genesisHeader(first));
  const shown = replacedSettings(ledgers);
  for (const setting of initialSettings(hasHighLimits(ledgers, shown))) {
    const entry = genesisEntry(xdr.LedgerEntryData.configSetting(setting));
    state.put(entryKeyId(entry), shown.get(setting.type) ?? entry);
  }
  const root = genesisEntry(xdr.LedgerEntryData.account(rootAccount(networkId)));
  state.put(entryKeyId(root), root);
  return state;
}

/**
 * The header before the first ledger: it has the first ledger's own values, unless an upgrade in it changed them. The hash of
 * this header is unknown, because it covers a state that was not recorded.
 */
function genesisHeader(first: xdr.LedgerCloseMetaV2 | undefined): xdr.LedgerHeader {
  const zero = new xdr.Hash(ZERO_HASH);
  const header = first?.ledgerHeader.header;
  const changed = new Set(first?.upgradesProcessing.map(({ upgrade }) => upgrade.type));
  const unless = <T>(upgrade: xdr.LedgerUpgrade['type'], value: T | undefined, usual: T): T =>
    value === undefined || changed.has(upgrade) ? usual : value;
  return new xdr.LedgerHeader({
    ledgerVersion: header?.ledgerVersion ?? 0,
    previousLedgerHash: zero,
    scpValue: new xdr.StellarValue({
      txSetHash: zero,
      closeTime: 0n,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: zero,
    bucketListHash: zero,
    ledgerSeq: GENESIS_LEDGER,
    totalCoins: TOTAL_COINS,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: unless('ledgerUpgradeBaseFee', header?.baseFee, BASE_FEE),
    baseReserve: unless('ledgerUpgradeBaseReserve', header?.baseReserve, BASE_RESERVE),
    maxTxSetSize: unless('ledgerUpgradeMaxTxSetSize', header?.maxTxSetSize, MAX_TX_SET_SIZE),
    skipList: [zero, zero, zero, zero],
    ext: unless('ledgerUpgradeFlags', header?.ext, xdr.LedgerHeaderExt.v0()),
  });
}

/** The root account exists before any ledger, so its sequence number is 0. */
function rootAccount(networkId: Uint8Array): xdr.AccountEntry {
  return newAccount(rootId(networkId), TOTAL_COINS, 0);
}

const rootIds = new WeakMap<Uint8Array, xdr.PublicKey>();

/** The root account's id; cached, because every file of a network starts with it. */
function rootId(networkId: Uint8Array): xdr.PublicKey {
  const id = rootIds.get(networkId) ?? new LocalKey(networkId).publicKey;
  rootIds.set(networkId, id);
  return id;
}

function genesisEntry(data: xdr.LedgerEntryData): xdr.LedgerEntry {
  const lastModifiedLedgerSeq = GENESIS_LEDGER;
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq, data, ext: xdr.LedgerEntryExt.v0() });
}

/** The value of each setting before the first upgrade that changes it. */
function replacedSettings(
  ledgers: readonly xdr.LedgerCloseMetaV2[],
): Map<xdr.ConfigSettingEntry['type'], xdr.LedgerEntry> {
  const found = new Map<xdr.ConfigSettingEntry['type'], xdr.LedgerEntry>();
  for (const { upgradesProcessing } of ledgers) {
    for (const change of upgradesProcessing.flatMap(({ changes }) => changes)) {
      if (change.type !== 'ledgerEntryState') continue;
      const { data } = change.state;
      if (data.type !== 'configSetting' || found.has(data.configSetting.type)) continue;
      found.set(data.configSetting.type, change.state);
    }
  }
  return found;
}

/** Whether the file starts with the high limits that some stellar-core tests use. */
function hasHighLimits(
  ledgers: readonly xdr.LedgerCloseMetaV2[],
  shown: ReadonlyMap<xdr.ConfigSettingEntry['type'], xdr.LedgerEntry>,
): boolean {
  const data = shown.get('configSettingContractMaxSizeBytes')?.data;
  if (data?.type === 'configSetting') {
    const setting = data.configSetting;
    return (
      setting.type === 'configSettingContractMaxSizeBytes' &&
      setting.contractMaxSizeBytes === HIGH_MAX_CONTRACT_SIZE
    );
  }
  return shown.size === 0 && ledgers.some(appliesLargeTransaction);
}

/** True if a ledger applied a transaction that the initial settings would have refused. */
function appliesLargeTransaction({ txSet, txProcessing }: xdr.LedgerCloseMetaV2): boolean {
  const applied = txProcessing.some(
    ({ txApplyProcessing: meta }) => meta.type === 'v4' && meta.v4.sorobanMeta !== null,
  );
  return applied && txSet.v1TxSet.phases.some(declaresMuch);
}

function declaresMuch(phase: xdr.TransactionPhase): boolean {
  if (phase.type !== 'parallelTxsComponent') return false;
  return phase.parallelTxsComponent.executionStages.flat(2).some((envelope) => {
    const v1 =
      envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx.v1 : envelope.value;
    const { ext } = v1.tx;
    return (
      ext.type === 'sorobanData' && ext.sorobanData.resources.instructions > INITIAL_INSTRUCTIONS
    );
  });
}
