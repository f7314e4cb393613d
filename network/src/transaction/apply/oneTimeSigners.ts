import { xdr } from '@stellar/stellar-sdk';
import { accountIdString, type LedgerTxn } from '../../state/index.ts';
import { loadAccount } from '../balances/index.ts';
import type { InnerTransaction, ParsedTransaction } from '../envelope/index.ts';
import { findSigner, removeSigner } from '../sponsorship/index.ts';

/**
 * Removes the signer that authorized this transaction in advance from every source account of the transaction: it is used up
 * even if the transaction failed (CAP-31, stellar-core `removeOneTimeSignerFromAllSourceAccounts`).
 */
export function removeOneTimeSigners(ltx: LedgerTxn, tx: InnerTransaction): void {
  const key = xdr.SignerKey.signerKeyTypePreAuthTx(tx.hash);
  const accounts = new Map(
    [tx.source, ...tx.operations.map(({ source }) => source)].map((id) => [
      accountIdString(id),
      id,
    ]),
  );
  for (const account of accounts.values()) {
    const child = ltx.child();
    if (removeFrom(child, account, key)) child.commit();
  }
}

/** Does the same for the source of a fee bump, which appears in the meta either way. */
export function removeOneTimeSignerOfFeeSource(ltx: LedgerTxn, tx: ParsedTransaction): void {
  removeFrom(ltx, tx.feeSource, xdr.SignerKey.signerKeyTypePreAuthTx(tx.hash));
}

function removeFrom(ltx: LedgerTxn, id: xdr.PublicKey, key: xdr.SignerKey): boolean {
  const account = loadAccount(ltx, id);
  if (account === undefined) return false;
  const { index, signer } = findSigner(account.signers, key);
  if (signer === undefined) return false;
  removeSigner(ltx, id, index);
  return true;
}
