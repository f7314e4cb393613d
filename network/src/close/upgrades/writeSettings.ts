import { xdr } from '@stellar/stellar-sdk';
import { readSetting, settingKeyId } from '../../settings/index.ts';
import type { LedgerTxn } from '../../state/index.ts';

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
export function writeSetting(ltx: LedgerTxn, setting: xdr.ConfigSettingEntry): void {
  const entry = ltx.load(settingKeyId(setting.type));
  if (entry === undefined) return;
  const data = xdr.LedgerEntryData.configSetting(setting);
  ltx.update(new xdr.LedgerEntry({ ...entry, data }));
}

/** Records for the whole window that the state had this size, in bytes. */
export function fillWindow(ltx: LedgerTxn, size: bigint): void {
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
