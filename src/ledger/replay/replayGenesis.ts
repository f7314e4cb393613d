import { xdr } from '@stellar/stellar-sdk';
import { LocalKey } from '../genesis/index.ts';
import { initialSettings } from '../settings/index.ts';
import { entryKeyId, LedgerState, newAccount } from '../state/index.ts';

const GENESIS_LEDGER = 1;
/** All lumens there are, in stroops; the root account holds them. */
const TOTAL_COINS = 1_000_000_000_000_000_000n;
const ZERO_HASH = new Uint8Array(32);
/** Of networks that the reference implementation starts for tests. */
const BASE_FEE = 100;
const BASE_RESERVE = 100_000_000;
const MAX_TX_SET_SIZE = 50;
/** The most instructions that a transaction could declare under the initial settings. */
const INITIAL_INSTRUCTIONS = 2_500_000;
const HIGH_MAX_CONTRACT_SIZE = 128_000;

/**
 * The state before the first ledger of a file: the root account, whose seed is the network's id,
 * and the initial settings (stellar-core `LedgerManagerImpl::startNewLedger`). Settings that the
 * file says were otherwise, because an upgrade in it shows what it replaced, are so from the start.
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
 * What the first ledger starts from: its own settings, unless an upgrade in it changed them.
 * The hash of this header is not known, because it covers a state that was not recorded.
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

/** The root account exists before any ledger: its sequence number is 0. */
function rootAccount(networkId: Uint8Array): xdr.AccountEntry {
  return newAccount(rootId(networkId), TOTAL_COINS, 0);
}

const rootIds = new WeakMap<Uint8Array, xdr.PublicKey>();

/** The root account's id; remembered, because every file of a network starts with it. */
function rootId(networkId: Uint8Array): xdr.PublicKey {
  const id = rootIds.get(networkId) ?? new LocalKey(networkId).publicKey;
  rootIds.set(networkId, id);
  return id;
}

function genesisEntry(data: xdr.LedgerEntryData): xdr.LedgerEntry {
  const lastModifiedLedgerSeq = GENESIS_LEDGER;
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq, data, ext: xdr.LedgerEntryExt.v0() });
}

/** Each setting as the first upgrade that touches it found it. */
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

/** Tests of the reference implementation may start with limits that nobody runs into. */
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

/** True where a ledger applied a transaction that the initial settings would have refused. */
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
