import type { xdr } from '@stellar/stellar-sdk';
import { hexText } from './hex.ts';

/** The XDR of the id in hex, which is how Horizon names claimable balances. */
export function balanceIdText(id: xdr.ClaimableBalanceId): string {
  return hexText(id.toXdr());
}
