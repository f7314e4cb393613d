import type { xdr } from '@stellar/stellar-sdk';
import {
  accountExtension,
  isAuthorized,
  isClawbackEnabledOnLine,
  TRUSTLINE_AUTH_MASK,
  trustlineLiabilities,
} from '../../transaction/balances/index.ts';
import { accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { assetFields, assetTypeText } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';

/** A trustline's balance, as in accounts. */
export type TrustlineBalance = ReturnType<typeof trustlineBalance>;

/** An account's balance of the native asset. */
export function nativeBalance(account: xdr.AccountEntry) {
  const { liabilities } = accountExtension(account);
  return {
    balance: amountText(account.balance),
    buying_liabilities: amountText(liabilities.buying),
    selling_liabilities: amountText(liabilities.selling),
    asset_type: 'native' as const,
  };
}

/** An account's balance in a trustline: an asset, or shares of a pool. */
export function trustlineBalance(entry: xdr.LedgerEntry, line: xdr.TrustLineEntry) {
  const { asset } = line;
  if (asset.type === 'assetTypePoolShare') {
    return {
      balance: amountText(line.balance),
      liquidity_pool_id: hexText(asset.liquidityPoolId.value),
      limit: amountText(line.limit),
      last_modified_ledger: entry.lastModifiedLedgerSeq,
      ...authorizationFields(line),
      asset_type: assetTypeText(asset),
    };
  }
  const { buying, selling } = trustlineLiabilities(line);
  return {
    balance: amountText(line.balance),
    limit: amountText(line.limit),
    buying_liabilities: amountText(buying),
    selling_liabilities: amountText(selling),
    sponsor: sponsorText(entry),
    last_modified_ledger: entry.lastModifiedLedgerSeq,
    ...authorizationFields(line),
    ...assetFields(asset),
  };
}

/** The sponsor of an entry's reserve; undefined if the owner pays it. */
export function sponsorText(entry: xdr.LedgerEntry): string | undefined {
  if (entry.ext.type === 'v0' || entry.ext.v1.sponsoringId === null) return undefined;
  return accountText(entry.ext.v1.sponsoringId);
}

function authorizationFields(line: xdr.TrustLineEntry) {
  return {
    is_authorized: isAuthorized(line),
    is_authorized_to_maintain_liabilities: (line.flags & TRUSTLINE_AUTH_MASK) !== 0,
    is_clawback_enabled: isClawbackEnabledOnLine(line) ? true : undefined,
  };
}
