import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { mustLoadAccount, updateAccount, withSequenceTime } from '../balances/index.ts';
import type { InnerTransaction, ParsedTransaction } from '../envelope/index.ts';
import type { TransactionMetaBuilder } from '../meta/index.ts';
import { RefundableFee, type TransactionOutcome } from '../result/index.ts';
import { SignatureChecker } from '../signature/index.ts';
import { resourceFeeOf } from '../soroban/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { checkCommon, checkOperationSignature } from '../validation/index.ts';
import { removeOneTimeSignerOfFeeSource, removeOneTimeSigners } from './oneTimeSigners.ts';

/** The first protocol that limits the number of signature verifications of a transaction. */
const VERIFICATION_BUDGET_PROTOCOL = 28;

/**
 * Checks a transaction again when it is applied, and uses up its sequence number and its one-time signers. If a check fails,
 * the outcome records why, and its operations are not applied (stellar-core `TransactionFrame::commonPreApply`).
 */
export function prepareTransaction(
  ltxLedger: LedgerTxn,
  tx: ParsedTransaction,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
  meta: TransactionMetaBuilder,
): void {
  if (tx.feeBump !== undefined) {
    const ltx = ltxLedger.child();
    removeOneTimeSignerOfFeeSource(ltx, tx);
    meta.addBefore(ltx);
    ltx.commit();
  }
  const ltx = ltxLedger.child();
  checkAndUseUp(ltx, tx, env, outcome, meta);
  meta.addBefore(ltx);
  ltx.commit();
}

function checkAndUseUp(
  ltx: LedgerTxn,
  tx: ParsedTransaction,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
  meta: TransactionMetaBuilder,
): void {
  const { inner } = tx;
  const { header } = ltx;
  const budgeted = header.ledgerVersion >= VERIFICATION_BUDGET_PROTOCOL;
  const { hash, signatures } = inner;
  const checker = new SignatureChecker(hash, signatures, env.verify, budgeted, env.impersonation);
  const resourceFee = inner.isSoroban ? resourceFeeOf(inner, env.settings, 0) : undefined;
  if (resourceFee !== undefined) {
    outcome.refundable = new RefundableFee(inner.resourceFee - resourceFee.nonRefundable);
    meta.nonRefundableFee = resourceFee.nonRefundable;
  }
  const { closeTime } = header.scpValue;
  const moment = { ledgerSeq: header.ledgerSeq, closeTime, latestCloseTime: closeTime };
  const { log } = meta;
  const verdict = checkCommon({
    tx,
    view: ltx,
    env,
    moment,
    checker,
    log,
    resourceFee,
    feeTaken: true,
  });
  if (verdict.usesSequence) useSequence(ltx, inner);
  if (verdict.failure !== undefined) {
    outcome.fail(verdict.failure);
    removeOneTimeSigners(ltx, inner);
    return;
  }
  const authorized = checkOperationSignatures(ltx, inner, checker, outcome);
  removeOneTimeSigners(ltx, inner);
  if (!authorized) outcome.fail('txFailed');
  else if (!checker.allUsed()) outcome.fail('txBadAuthExtra');
}

function useSequence(ltx: LedgerTxn, { source, seqNum }: InnerTransaction): void {
  const account = new xdr.AccountEntry({ ...mustLoadAccount(ltx, source), seqNum });
  updateAccount(ltx, withSequenceTime(account, ltx.header));
}

function checkOperationSignatures(
  ltx: LedgerTxn,
  inner: InnerTransaction,
  checker: SignatureChecker,
  outcome: TransactionOutcome,
): boolean {
  let authorized = true;
  for (const operation of inner.operations) {
    const result = checkOperationSignature(operation, ltx, checker);
    if (result === undefined) continue;
    outcome.operations[operation.index] = result;
    authorized = false;
  }
  return authorized;
}
