import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  addBalance,
  availableBalance,
  isHoldingAuthorized,
  LedgerFault,
  loadHolding,
  updateHolding,
} from '../balances/index.ts';

/** Why value cannot reach its destination. */
export type CreditFailure = 'noTrust' | 'notAuthorized' | 'lineFull';

/** Why value cannot leave the account that pays. */
export type DebitFailure = 'noTrust' | 'notAuthorized' | 'underfunded';

/**
 * Adds an amount to an account's holding of an asset: the last leg of every payment. The caller has checked that the account
 * exists, or that it does not have to because it issues the asset. (stellar-core `PathPaymentOpFrameBase.cpp`,
 * `updateDestBalance`)
 */
export function credit(
  ltx: LedgerTxn,
  destination: xdr.PublicKey,
  asset: xdr.Asset,
  amount: bigint,
): CreditFailure | undefined {
  const holding = loadHolding(ltx, destination, asset);
  if (holding === undefined) return 'noTrust';
  if (!isHoldingAuthorized(holding)) return 'notAuthorized';
  const credited = addBalance(ltx.header, holding, amount);
  if (credited === undefined) return 'lineFull';
  updateHolding(ltx, credited);
  return undefined;
}

/**
 * Takes an amount from an account's holding of an asset: the first leg of every payment.
 * (stellar-core `PathPaymentOpFrameBase.cpp`, `updateSourceBalance`)
 */
export function debit(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  asset: xdr.Asset,
  amount: bigint,
): DebitFailure | undefined {
  const holding = loadHolding(ltx, source, asset);
  if (holding === undefined) {
    // The source account exists while its operation is applied, so only a trustline can be missing.
    if (asset.type === 'assetTypeNative') throw new LedgerFault('account_missing');
    return 'noTrust';
  }
  if (!isHoldingAuthorized(holding)) return 'notAuthorized';
  if (holding.kind === 'native' && amount > availableBalance(ltx.header, holding)) {
    return 'underfunded';
  }
  const debited = addBalance(ltx.header, holding, -amount);
  if (debited === undefined) return 'underfunded';
  updateHolding(ltx, debited);
  return undefined;
}
