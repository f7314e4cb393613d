import { xdr } from '@stellar/stellar-sdk';
import { accountIdString, type LedgerTxn } from '../../state/index.ts';
import {
  loadAccount,
  mustLoadAccount,
  updateAccount,
  withSequenceTime,
} from '../balances/index.ts';
import type { InnerTransaction, ParsedTransaction } from '../envelope/index.ts';
import type { TransactionMetaBuilder } from '../meta/transactionMeta.ts';
import { RefundableFee, type TransactionOutcome } from '../result/transactionOutcome.ts';
import { SignatureChecker } from '../signature/signatureChecker.ts';
import { resourceFeeOf } from '../soroban/index.ts';
import { findSigner, removeSigner } from '../sponsorship/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import {
  checkOperation,
  checkOperationSignature,
  checkOperationSource,
} from '../validation/checkTransaction.ts';
import { checkCommon } from '../validation/commonChecks.ts';

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

/**
 * Prepares a Soroban transaction and checks its operation. Both happen for all transactions of the phase before the first
 * operation runs (stellar-core `TransactionFrame::preParallelApply`).
 */
export function prepareSorobanTransaction(
  ltx: LedgerTxn,
  tx: ParsedTransaction,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
  meta: TransactionMetaBuilder,
): void {
  prepareTransaction(ltx, tx, env, outcome, meta);
  const [operation] = tx.inner.operations;
  if (!outcome.success || operation === undefined) return;
  const refused = checkOperation(operation, tx.inner, ltx, env, meta.log, checkOperationSource);
  if (refused === undefined) return;
  outcome.operations[0] = refused;
  outcome.fail('txFailed');
}

/**
 * Removes the signer that authorized this transaction in advance from every source account of the transaction: it is used up
 * even if the transaction failed (CAP-31, stellar-core `removeOneTimeSignerFromAllSourceAccounts`).
 */
function removeOneTimeSigners(ltx: LedgerTxn, tx: InnerTransaction): void {
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
function removeOneTimeSignerOfFeeSource(ltx: LedgerTxn, tx: ParsedTransaction): void {
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
