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

/** How many signers an account may have beside its own key. */
const MAX_SIGNERS = 20;

/**
 * Adds a signer, changes its weight, or removes it where the new weight is zero (removing one
 * that is not there is no error). Answers why it may not.
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
