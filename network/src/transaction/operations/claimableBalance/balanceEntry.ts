import { xdr } from '@stellar/stellar-sdk';
import { claimableBalanceKeyId, type LedgerTxn } from '../../../state/index.ts';

/** `CLAIMABLE_BALANCE_CLAWBACK_ENABLED_FLAG` of the protocol. */
const CLAWBACK_ENABLED = 0x1;

/** A claimable balance with its ledger entry, which includes its sponsor. */
export interface StoredBalance {
  readonly entry: xdr.LedgerEntry;
  readonly balance: xdr.ClaimableBalanceEntry;
}

/** A claimable balance, recorded as touched. */
export function loadBalance(ltx: LedgerTxn, id: xdr.ClaimableBalanceId): StoredBalance | undefined {
  const entry = ltx.load(claimableBalanceKeyId(id));
  return entry?.data.type === 'claimableBalance'
    ? { entry, balance: entry.data.claimableBalance }
    : undefined;
}

/** A new claimable balance; the issuer can claw it back only if that is enabled (CAP-35). */
export function newBalance(
  fields: Omit<ConstructorParameters<typeof xdr.ClaimableBalanceEntry>[0], 'ext'>,
  clawbackEnabled: boolean,
): xdr.LedgerEntryData {
  const ext = clawbackEnabled
    ? xdr.ClaimableBalanceEntryExt.v1(
        new xdr.ClaimableBalanceEntryExtensionV1({
          ext: xdr.ClaimableBalanceEntryExtensionV1Ext.v0(),
          flags: CLAWBACK_ENABLED,
        }),
      )
    : xdr.ClaimableBalanceEntryExt.v0();
  return xdr.LedgerEntryData.claimableBalance(new xdr.ClaimableBalanceEntry({ ...fields, ext }));
}

/** True if the issuer is allowed to claw the balance back. */
export function isBalanceClawbackEnabled({ ext }: xdr.ClaimableBalanceEntry): boolean {
  return ext.type === 'v1' && (ext.v1.flags & CLAWBACK_ENABLED) !== 0;
}

/** The address under which a claimable balance appears in events. */
export function balanceAddress(id: xdr.ClaimableBalanceId): xdr.ScAddress {
  return xdr.ScAddress.scAddressTypeClaimableBalance(id);
}
