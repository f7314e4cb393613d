import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from '../../../../protocol/index.ts';
import { balanceIn } from './balance.ts';
import type { StellarAsset } from './stellarAsset.ts';

/** What a transfer lacks, according to the ledger's entries. */
export type Lack = { readonly of: 'trustline' } | { readonly of: 'funds'; readonly detail: string };

/**
 * Detects a recipient without a trustline, or a payer without the amount. A token that is not a Stellar
 * asset stores its balances in its own way, so this returns nothing for one.
 * @param entries of the recipient and of the payer, found under `balanceKey`
 */
export function lackOf(
  asset: StellarAsset | undefined,
  payment: {
    readonly payer: StellarAddress;
    readonly payTo: StellarAddress;
    readonly amount: bigint;
  },
  [recipient, payer]: readonly (xdr.LedgerEntryData | undefined)[],
): Lack | undefined {
  if (asset === undefined) return undefined;
  if (asset.needsTrustline(payment.payTo) && recipient === undefined) return { of: 'trustline' };
  const held = asset.isIssuer(payment.payer) ? undefined : balanceIn(payer);
  if (held === undefined || held >= payment.amount) return undefined;
  return { of: 'funds', detail: `${held} held, ${payment.amount} required` };
}
