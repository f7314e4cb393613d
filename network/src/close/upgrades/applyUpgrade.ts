import { xdr } from '@stellar/stellar-sdk';
import { readSetting } from '../../settings/index.ts';
import type { LedgerTxn } from '../../state/index.ts';
import { LedgerFault } from '../../transaction/balances/index.ts';
import { settleOffersAfterRaisedReserve } from '../../transaction/exchange/index.ts';
import { readConfigUpgradeSet } from './configUpgradeSet.ts';
import { fillWindow, writeSetting, writeSettings } from './writeSettings.ts';

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
