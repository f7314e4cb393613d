import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from '../../../../protocol/index.ts';
import { balanceIn } from './balance.ts';
import type { StellarAsset } from './stellarAsset.ts';

/** What keeps a transfer from happening, as the ledger's entries show it. */
export type Lack = { readonly of: 'trustline' } | { readonly of: 'funds'; readonly detail: string };

/**
 * The recipient without a trustline, or the payer without the amount. A token that is no Stellar
 * asset keeps its balances as it likes, so of one nothing is said.
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
