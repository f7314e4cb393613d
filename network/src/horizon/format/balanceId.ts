import type { xdr } from '@stellar/stellar-sdk';
import { hexText } from './hex.ts';

/** The XDR of the id in hex, by which Horizon identifies claimable balances. */
export function balanceIdText(id: xdr.ClaimableBalanceId): string {
  return hexText(id.toXdr());
}
