import type { xdr } from '@stellar/stellar-sdk';
import {
  isSettingValid,
  isUpgradeable,
  type LedgerService,
  NO_MOVES,
  writeSettings,
} from '../close/index.ts';
import type { ClosedLedger } from '../history/index.ts';
import { LimitsError, limitSettings, settingKeyId } from '../settings/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** Closes a ledger that sets limits, fees and lifetimes of the network. @throws RpcError, LedgerServiceError */
export function setSettings({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const limits = new ControlParams(params, ['limits']).any('limits');
  try {
    return closedBy(writeLimits(service, usableSettings(limits)));
  } catch (error) {
    throw error instanceof LimitsError ? invalid(error.message) : error;
  }
}

/**
 * Sets limits, fees and lifetimes in a separate ledger, unless the network already has them.
 * @throws LimitsError, LedgerServiceError
 */
export function applyLimits(service: LedgerService, limits: unknown): void {
  const settings = usableSettings(limits);
  const { state } = service.engine;
  const has = (setting: xdr.ConfigSettingEntry): boolean => {
    const entry = state.peek(settingKeyId(setting.type));
    return (
      entry?.data.type === 'configSetting' &&
      Buffer.compare(encodeXdr(entry.data.configSetting), encodeXdr(setting)) === 0
    );
  };
  if (!settings.every(has)) writeLimits(service, settings);
}

/** Returns the settings in `limits`, each within the bounds that apply to every network. @throws LimitsError */
export function usableSettings(limits: unknown): readonly xdr.ConfigSettingEntry[] {
  const settings = limitSettings(limits);
  for (const setting of settings) {
    const name = setting.type.replace('configSetting', '');
    if (!isUpgradeable(setting))
      throw new LimitsError(`${name} cannot be set: the ledger maintains it`);
    if (!isSettingValid(setting)) {
      throw new LimitsError(`${name} is outside the bounds that stellar-core enforces`);
    }
  }
  return settings;
}

function writeLimits(
  service: LedgerService,
  settings: readonly xdr.ConfigSettingEntry[],
): ClosedLedger {
  const { engine } = service;
  return service.amendLedger((ltx) => {
    writeSettings(ltx, settings, (view) => engine.stateSize(view));
    return NO_MOVES;
  });
}

/**
 * Closes a ledger that raises the protocol, as validators of a public network do by vote. It cannot be lowered again.
 * @throws RpcError, LedgerServiceError
 */
export async function upgradeProtocol(
  { protocols, service, upgradeProtocol }: ControlNetwork,
  params: unknown,
): Promise<ClosedByControl> {
  const protocol = new ControlParams(params, ['protocol']).whole('protocol', [1, 1_000]);
  const running = service.engine.state.header.ledgerVersion;
  const later = protocols.filter((one) => one > running);
  if (!later.includes(protocol)) {
    const choice = later.length === 0 ? 'no later one is supported' : `choose ${later.join(', ')}`;
    throw invalid(`the network runs protocol ${running}; ${choice}`);
  }
  return closedBy(await upgradeProtocol(protocol));
}
