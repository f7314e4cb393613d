import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { readSetting, settingKeyId } from '../../settings/index.ts';
import { type LedgerTxn, type LedgerView, ledgerKeyId, ttlKeyId } from '../../state/index.ts';
import { LedgerFault } from '../../transaction/balances/index.ts';
import { settleOffersAfterRaisedReserve } from '../../transaction/exchange/index.ts';
import { encodeXdr } from '../../xdr/index.ts';
import { isSettingValid, isUpgradeable } from './settingValidity.ts';

/** What an upgrade needs to know besides the ledger. */
export interface UpgradeContext {
  /** The newest protocol that is supported here. */
  readonly newestProtocol: number;
  /** Bytes of Soroban state, measured with the settings of the given ledger. */
  readonly stateSize: (ltx: LedgerTxn) => bigint;
}

const HEADER_FLAGS_MASK = 0x7;

/**
 * Applies one upgrade that the network agreed on, after the transactions of a ledger. Returns false, without changing anything,
 * if it is not valid (stellar-core `Upgrades::isValidForApply`, `applyTo`).
 */
export function applyUpgrade(
  ltx: LedgerTxn,
  upgrade: xdr.LedgerUpgrade,
  context: UpgradeContext,
): boolean {
  switch (upgrade.type) {
    case 'ledgerUpgradeVersion':
      return upgradeVersion(ltx, upgrade.newLedgerVersion, context);
    case 'ledgerUpgradeBaseFee':
      if (upgrade.newBaseFee === 0) return false;
      changeHeader(ltx, { baseFee: upgrade.newBaseFee });
      return true;
    case 'ledgerUpgradeMaxTxSetSize':
      changeHeader(ltx, { maxTxSetSize: upgrade.newMaxTxSetSize });
      return true;
    case 'ledgerUpgradeBaseReserve':
      return upgradeBaseReserve(ltx, upgrade.newBaseReserve);
    case 'ledgerUpgradeFlags':
      return upgradeFlags(ltx, upgrade.newFlags);
    case 'ledgerUpgradeConfig': {
      const settings = readConfigUpgradeSet(ltx, upgrade.newConfig);
      if (settings === undefined) return false;
      writeSettings(ltx, settings, context.stateSize);
      return true;
    }
    case 'ledgerUpgradeMaxSorobanTxSetSize':
      upgradeMaxSorobanTxSetSize(ltx, upgrade.newMaxSorobanTxSetSize);
      return true;
  }
}

/** Versions only rise. The state's size is measured again with the new version's rules. */
function upgradeVersion(ltx: LedgerTxn, version: number, context: UpgradeContext): boolean {
  if (version > context.newestProtocol || version <= ltx.header.ledgerVersion) return false;
  changeHeader(ltx, { ledgerVersion: version });
  fillWindow(ltx, context.stateSize(ltx));
  return true;
}

/**
 * A higher reserve removes offers that their owners can no longer pay for. If the ledger contradicts itself, the upgrade is
 * skipped, as in stellar-core.
 */
function upgradeBaseReserve(ltx: LedgerTxn, baseReserve: number): boolean {
  if (baseReserve === 0) return false;
  const isRaised = baseReserve > ltx.header.baseReserve;
  changeHeader(ltx, { baseReserve });
  try {
    if (isRaised) settleOffersAfterRaisedReserve(ltx);
    return true;
  } catch (error) {
    if (error instanceof LedgerFault) return false;
    throw error;
  }
}

function upgradeFlags(ltx: LedgerTxn, flags: number): boolean {
  if ((flags & ~HEADER_FLAGS_MASK) !== 0) return false;
  const extension = new xdr.LedgerHeaderExtensionV1({
    flags,
    ext: xdr.LedgerHeaderExtensionV1Ext.v0(),
  });
  changeHeader(ltx, { ext: xdr.LedgerHeaderExt.v1(extension) });
  return true;
}

function upgradeMaxSorobanTxSetSize(ltx: LedgerTxn, ledgerMaxTxCount: number): void {
  const { contractExecutionLanes } = readSetting(ltx, 'configSettingContractExecutionLanes');
  const lanes = new xdr.ConfigSettingContractExecutionLanesV0({
    ...contractExecutionLanes,
    ledgerMaxTxCount,
  });
  writeSetting(ltx, xdr.ConfigSettingEntry.configSettingContractExecutionLanes(lanes));
}

function changeHeader(
  ltx: LedgerTxn,
  change: Partial<
    Pick<xdr.LedgerHeader, 'ledgerVersion' | 'baseFee' | 'maxTxSetSize' | 'baseReserve' | 'ext'>
  >,
): void {
  ltx.header = new xdr.LedgerHeader({ ...ltx.header, ...change });
}

/**
 * The changes of settings that an upgrade refers to: a contract published them as a temporary entry under their hash. Undefined
 * if the entry does not exist, has expired, or holds anything that is not allowed (stellar-core `ConfigUpgradeSetFrame`).
 */
function readConfigUpgradeSet(
  view: LedgerView,
  key: xdr.ConfigUpgradeSetKey,
): readonly xdr.ConfigSettingEntry[] | undefined {
  const bytes = publishedBytes(view, key);
  if (bytes === undefined) return undefined;
  const set = decode(bytes);
  if (set === undefined) return undefined;
  const hash = createHash('sha256').update(encodeXdr(set)).digest();
  if (Buffer.compare(hash, key.contentHash.value) !== 0) return undefined;
  const settings = set.updatedEntry;
  if (settings.length === 0 || !areAscending(settings)) return undefined;
  return settings.every((setting) => isUpgradeable(setting) && isSettingValid(setting))
    ? settings
    : undefined;
}

function publishedBytes(
  view: LedgerView,
  { contractId, contentHash }: xdr.ConfigUpgradeSetKey,
): Uint8Array | undefined {
  const id = ledgerKeyId(
    xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: xdr.ScAddress.scAddressTypeContract(contractId),
        key: xdr.ScVal.scvBytes(contentHash.value),
        durability: xdr.ContractDataDurability.temporary,
      }),
    ),
  );
  const entry = view.peek(id);
  const ttl = view.peek(ttlKeyId(id));
  if (entry?.data.type !== 'contractData' || ttl?.data.type !== 'ttl') return undefined;
  if (ttl.data.ttl.liveUntilLedgerSeq < view.header.ledgerSeq) return undefined;
  const { val } = entry.data.contractData;
  return val.type === 'scvBytes' ? val.bytes.value : undefined;
}

function decode(bytes: Uint8Array): xdr.ConfigUpgradeSet | undefined {
  try {
    return xdr.ConfigUpgradeSet.fromXdr(bytes);
  } catch {
    return undefined;
  }
}

/** Each setting once, in the order of their ids. */
function areAscending(settings: readonly xdr.ConfigSettingEntry[]): boolean {
  const ids = settings.map(({ type }) => xdr.ConfigSettingId.fromName(type).value);
  return ids.every((id, at) => at === 0 || (ids[at - 1] ?? id) < id);
}

/**
 * Writes the settings of an upgrade. The two deltas edit the setting that they belong to; a change of the state size window's
 * length cuts the window or fills it up with its oldest sample.
 *
 * @param stateSize bytes of Soroban state with the new settings; a change of the memory costs changes the size of compiled
 * code, so that earlier samples are no longer comparable (stellar-core `ConfigUpgradeSetFrame::applyTo`)
 */
export function writeSettings(
  ltx: LedgerTxn,
  settings: readonly xdr.ConfigSettingEntry[],
  stateSize: (ltx: LedgerTxn) => bigint,
): void {
  const sampleSize = windowSampleSize(ltx);
  for (const setting of settings) {
    if (setting.type === 'configSettingFrozenLedgerKeysDelta') {
      editFrozenKeys(ltx, setting.frozenLedgerKeysDelta);
    } else if (setting.type === 'configSettingFreezeBypassTxsDelta') {
      editBypasses(ltx, setting.freezeBypassTxsDelta);
    } else {
      writeSetting(ltx, setting);
    }
  }
  if (windowSampleSize(ltx) !== sampleSize) resizeWindow(ltx, windowSampleSize(ltx));
  const memoryCosts = 'configSettingContractCostParamsMemoryBytes';
  if (settings.some(({ type }) => type === memoryCosts)) fillWindow(ltx, stateSize(ltx));
}

/** Replaces a setting, and records the change even if its value stays the same. */
function writeSetting(ltx: LedgerTxn, setting: xdr.ConfigSettingEntry): void {
  const entry = ltx.load(settingKeyId(setting.type));
  if (entry === undefined) return;
  const data = xdr.LedgerEntryData.configSetting(setting);
  ltx.update(new xdr.LedgerEntry({ ...entry, data }));
}

/** Records for the whole window that the state had this size, in bytes. */
function fillWindow(ltx: LedgerTxn, size: bigint): void {
  writeWindow(ltx, (window) => window.map(() => size));
}

/** Adds a sample of the state's size in bytes to the window, and drops the oldest. */
export function addWindowSample(ltx: LedgerTxn, size: bigint): void {
  writeWindow(ltx, (window) => [...window.slice(1), size]);
}

function resizeWindow(ltx: LedgerTxn, size: number): void {
  writeWindow(ltx, (window) => {
    const [oldest = 0n] = window;
    const missing = Math.max(0, size - window.length);
    return [...new Array<bigint>(missing).fill(oldest), ...window.slice(-size)];
  });
}

function writeWindow(ltx: LedgerTxn, edit: (window: bigint[]) => bigint[]): void {
  const window = readSetting(ltx, 'configSettingLiveSorobanStateSizeWindow');
  writeSetting(
    ltx,
    xdr.ConfigSettingEntry.configSettingLiveSorobanStateSizeWindow(
      edit(window.liveSorobanStateSizeWindow),
    ),
  );
}

function windowSampleSize(ltx: LedgerTxn): number {
  return readSetting(ltx, 'configSettingStateArchival').stateArchivalSettings
    .liveSorobanStateSizeWindowSampleSize;
}

function editFrozenKeys(ltx: LedgerTxn, delta: xdr.FrozenLedgerKeysDelta): void {
  const { frozenLedgerKeys } = readSetting(ltx, 'configSettingFrozenLedgerKeys');
  const keys = editSet(frozenLedgerKeys.keys, delta.keysToFreeze, delta.keysToUnfreeze);
  const setting = new xdr.FrozenLedgerKeys({ keys });
  writeSetting(ltx, xdr.ConfigSettingEntry.configSettingFrozenLedgerKeys(setting));
}

function editBypasses(ltx: LedgerTxn, delta: xdr.FreezeBypassTxsDelta): void {
  const { freezeBypassTxs } = readSetting(ltx, 'configSettingFreezeBypassTxs');
  const txHashes = editSet(freezeBypassTxs.txHashes, delta.addTxs, delta.removeTxs);
  const setting = new xdr.FreezeBypassTxs({ txHashes });
  writeSetting(ltx, xdr.ConfigSettingEntry.configSettingFreezeBypassTxs(setting));
}

interface Bytes {
  readonly value: Uint8Array;
}

/** A sorted set of byte strings, with some added and then some removed. */
function editSet(
  members: readonly Bytes[],
  add: readonly Bytes[],
  remove: readonly Bytes[],
): Uint8Array[] {
  const hex = ({ value }: Bytes): string => Buffer.from(value).toString('hex');
  const set = new Set([...members, ...add].map(hex));
  for (const member of remove) set.delete(hex(member));
  return [...set].sort().map((member) => Buffer.from(member, 'hex'));
}
