import type { xdr } from '@stellar/stellar-sdk';
import {
  accountOfMuxed,
  assetOfCode,
  TRUSTLINE_AUTH_MASK,
  TRUSTLINE_FLAGS,
} from '../../transaction/balances/index.ts';
import { accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields } from '../format/asset.ts';
import { dataOf, type HistoryOperation } from '../history/historyOperation.ts';
import type { Resource } from '../http/paging.ts';
import { changeTrustLine } from '../operations/trustDetails.ts';
import { type Effect, effectOn } from './effect.ts';
import { assetAmount, poolRevokedEffects } from './paymentEffects.ts';

export function changeTrustEffects(op: xdr.ChangeTrustOp, operation: HistoryOperation): Effect[] {
  for (const { before, after } of operation.deltas) {
    const line = dataOf(after ?? before, 'trustline')?.trustLine;
    if (line?.asset.type !== op.line.type) continue;
    const type = before ? (after ? 'trustline_updated' : 'trustline_removed') : 'trustline_created';
    const details = { ...changeTrustLine(op), limit: amountText(op.limit) };
    return [effectOn(operation.source, type, details)];
  }
  return [];
}

export function allowTrustEffects(op: xdr.AllowTrustOp, operation: HistoryOperation): Effect[] {
  const { source } = operation;
  const asset = assetOfCode(accountOfMuxed(source), op.asset);
  const { asset_type, asset_code } = assetFields(asset);
  const details = { trustor: accountText(op.trustor), asset_type, asset_code };
  const { authorized, authorizedToMaintainLiabilities: maintain } = TRUSTLINE_FLAGS;
  const flags = (set: number, clear: number): Effect =>
    effectOn(source, 'trustline_flags_updated', flagFields(op.trustor, asset, set, clear));
  if ((op.authorize & authorized) !== 0) {
    return [
      effectOn(source, 'trustline_authorized', details),
      flags(authorized, 0),
      ...poolRevokedEffects(operation),
    ];
  }
  if ((op.authorize & maintain) !== 0) {
    return [
      effectOn(source, 'trustline_authorized_to_maintain_liabilities', details),
      flags(maintain, 0),
      ...poolRevokedEffects(operation),
    ];
  }
  return [
    effectOn(source, 'trustline_deauthorized', details),
    flags(0, TRUSTLINE_AUTH_MASK),
    ...poolRevokedEffects(operation),
  ];
}

export function setTrustLineFlagsEffects(
  op: xdr.SetTrustLineFlagsOp,
  operation: HistoryOperation,
): Effect[] {
  const details = flagFields(op.trustor, op.asset, op.setFlags, op.clearFlags);
  return [
    effectOn(operation.source, 'trustline_flags_updated', details),
    ...poolRevokedEffects(operation),
  ];
}

/** A clawed-back amount is reported as if its issuer had received it. */
export function clawbackEffects(op: xdr.ClawbackOp, source: xdr.MuxedAccount): Effect[] {
  const details = assetAmount(op.asset, op.amount);
  return [
    effectOn(source, 'account_credited', details),
    effectOn(op.from, 'account_debited', details),
  ];
}

/**
 * Horizon never writes the flag for maintaining liabilities, because the field name differs from the key that it reads.
 */
function flagFields(
  trustor: xdr.PublicKey,
  asset: xdr.Asset,
  set: number,
  clear: number,
): Resource {
  const state = (flag: number): boolean | undefined => {
    if ((clear & flag) !== 0) return false;
    return (set & flag) !== 0 ? true : undefined;
  };
  return {
    ...assetFields(asset),
    trustor: accountText(trustor),
    authorized_flag: state(TRUSTLINE_FLAGS.authorized),
    clawback_enabled_flag: state(TRUSTLINE_FLAGS.clawbackEnabled),
  };
}
