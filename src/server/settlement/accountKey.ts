import * as xdr from '@stellar/stellar-sdk/xdr';

/** The ledger key of a classic account. */
export function accountKey(account: { readonly publicKey: Uint8Array }): xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({
      accountId: xdr.PublicKey.publicKeyTypeEd25519(account.publicKey),
    }),
  );
}
