import { xdr } from '@stellar/stellar-sdk';
import { oneLine } from '../../../common/visibleText.ts';
import { LimitsError } from './limitsError.ts';
import { testnetSettings } from './testnetSettings.ts';
import { unlimitedSettings } from './unlimitedSettings.ts';

/**
 * Limits, fees and lifetimes of a network: testnet's, almost none, or those of a file in the format of stellar-core and Stellar
 * Quickstart (`testnet_settings_upgrade.json`), which can contain only some settings.
 */
export type Limits = 'testnet' | 'unlimited' | LimitsFile;

/** The JSON of a `ConfigUpgradeSet` (SEP-51). */
export interface LimitsFile {
  readonly updated_entry: readonly unknown[];
}

/** Settings that the ledger maintains itself. */
const OWN: ReadonlySet<xdr.ConfigSettingEntry['type']> = new Set([
  'configSettingLiveSorobanStateSizeWindow',
  'configSettingEvictionIterator',
  'configSettingFrozenLedgerKeys',
  'configSettingFreezeBypassTxs',
]);

/** Returns the settings for given limits. @throws LimitsError */
export function limitSettings(limits: unknown): readonly xdr.ConfigSettingEntry[] {
  if (limits === 'testnet') return withoutOwn(testnetSettings());
  if (limits === 'unlimited') return withoutOwn(unlimitedSettings());
  if (typeof limits !== 'object' || limits === null || !('updated_entry' in limits)) {
    throw new LimitsError(
      'limits must be testnet, unlimited, or settings in the format of stellar-core: { "updated_entry": [ … ] }',
    );
  }
  try {
    const json = JSON.stringify({ updated_entry: limits.updated_entry });
    return xdr.ConfigUpgradeSet.fromJson(JSON.parse(json)).updatedEntry;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LimitsError(`updated_entry contains an invalid setting: ${oneLine(why)}`);
  }
}

function withoutOwn(settings: readonly xdr.ConfigSettingEntry[]): xdr.ConfigSettingEntry[] {
  return settings.filter(({ type }) => !OWN.has(type));
}
