import { xdr } from '@stellar/stellar-sdk';
import { newAccount } from '../../state/index.ts';
import {
  accountAvailableBalance,
  addAccountBalance,
  LedgerFault,
  loadAccount,
  mustLoadAccount,
  sameAccount,
  updateAccount,
} from '../balances/index.ts';
import { payReserveOfNewEntry, sponsorshipFailureResult } from '../sponsorship/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';

type Result = xdr.CreateAccountResult;
const { CreateAccountResult } = xdr;

/**
 * Creates an account with a starting balance from the source's balance. A sponsored account can start with nothing (CAP-33;
 * stellar-core `CreateAccountOpFrame.cpp`).
 */
export const createAccount: OperationRules<'createAccount'> = {
  type: 'createAccount',
  threshold: () => 'medium',
  checkValid({ createAccountOp: { destination, startingBalance } }, source) {
    return startingBalance < 0n || sameAccount(destination, source)
      ? result(CreateAccountResult.createAccountMalformed())
      : undefined;
  },
  apply,
};

function apply(ctx: OperationContext<'createAccount'>): xdr.OperationResult {
  const { ltx, source, events, muxedSource } = ctx;
  const { destination, startingBalance } = ctx.body.createAccountOp;
  if (loadAccount(ltx, destination) !== undefined) {
    return result(CreateAccountResult.createAccountAlreadyExist());
  }

  const account = newAccount(destination, startingBalance, ltx.header.ledgerSeq);
  const paid = payReserveOfNewEntry(ltx, xdr.LedgerEntryData.account(account), destination);
  if (!paid.ok) {
    const lowReserve = result(CreateAccountResult.createAccountLowReserve());
    return sponsorshipFailureResult(paid.failure, lowReserve);
  }

  const funder = mustLoadAccount(ltx, source);
  if (accountAvailableBalance(ltx.header, funder) < startingBalance) {
    return result(CreateAccountResult.createAccountUnderfunded());
  }
  const charged = addAccountBalance(ltx.header, funder, -startingBalance);
  if (charged === undefined) throw new LedgerFault('balance_bound');
  updateAccount(ltx, charged);
  ltx.create(paid.entry);

  const to = xdr.MuxedAccount.keyTypeEd25519(destination.ed25519);
  events.transfer(xdr.Asset.assetTypeNative(), muxedSource, to, startingBalance, {
    allowMuxedIdOrMemo: true,
  });
  return result(CreateAccountResult.createAccountSuccess());
}

function result(inner: Result): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.createAccount(inner));
}
