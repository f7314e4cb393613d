import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { mustLoadAccount, updateAccount } from '../balances/index.ts';
import {
  addSigner,
  findSigner,
  removeSigner,
  sponsorshipFailureResult,
} from '../sponsorship/index.ts';

const { SetOptionsResult } = xdr;

/** Maximum number of signers besides the account's own key. */
const MAX_SIGNERS = 20;

/**
 * Adds a signer, changes its weight, or removes it if the new weight is zero (removing a missing one is not an error). Returns
 * why that is not allowed, if so.
 */
export function setSigner(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  signer: xdr.Signer,
): xdr.OperationResult | undefined {
  const account = mustLoadAccount(ltx, owner);
  const { index, signer: known } = findSigner(account.signers, signer.key);
  if (signer.weight === 0) {
    if (known !== undefined) removeSigner(ltx, owner, index);
    return undefined;
  }
  if (known !== undefined) {
    updateAccount(
      ltx,
      new xdr.AccountEntry({
        ...account,
        signers: account.signers.map((other) => (other === known ? signer : other)),
      }),
    );
    return undefined;
  }
  if (account.signers.length >= MAX_SIGNERS) {
    return result(SetOptionsResult.setOptionsTooManySigners());
  }
  const failure = addSigner(ltx, owner, signer);
  return failure === undefined
    ? undefined
    : sponsorshipFailureResult(failure, result(SetOptionsResult.setOptionsLowReserve()));
}

function result(inner: xdr.SetOptionsResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.setOptions(inner));
}
