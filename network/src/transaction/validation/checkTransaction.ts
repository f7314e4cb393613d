import { xdr } from '@stellar/stellar-sdk';
import { accountKeyId, type LedgerView } from '../../state/index.ts';
import { accountAvailableBalance, INT64_MAX, peekAccount } from '../balances/index.ts';
import { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import {
  type InnerTransaction,
  isSorobanBody,
  type ParsedOperation,
  type ParsedTransaction,
} from '../envelope/index.ts';
import { rulesFor, type ThresholdLevel } from '../operations/index.ts';
import { TransactionOutcome } from '../result/transactionOutcome.ts';
import { isSignedBy, masterKey, SignatureChecker } from '../signature/signatureChecker.ts';
import { checkSorobanOperation, resourceFeeOf } from '../soroban/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { checkCommon } from './commonChecks.ts';
import { feeAtBase, hasValidFee, inclusionFee, minInclusionFee } from './fees.ts';
import { areResourcesValid } from './sorobanResources.ts';
import type { LedgerMoment } from './timing.ts';

/** The verdict on a submitted transaction. */
export interface TransactionCheck {
  readonly outcome: TransactionOutcome;
  /** The engine's reasons, as diagnostic events. */
  readonly log: DiagnosticLog;
}

/**
 * Checks whether a submitted transaction can be accepted for the next ledger, as far as that is possible without applying it.
 * If the outcome is not a success, `sendTransaction` returns it as `errorResultXdr` (stellar-core
 * `TransactionFrame::checkValid`).
 *
 * @param moment the earliest ledger that can include the transaction
 */
export function checkTransaction(
  tx: ParsedTransaction,
  view: LedgerView,
  env: TransactionEnvironment,
  moment: LedgerMoment,
): TransactionCheck {
  const log = new DiagnosticLog(env.diagnostics);
  if (!hasValidFee(tx)) {
    const outcome = new TransactionOutcome(tx, 0n);
    outcome.failOuter('txMalformed');
    return { outcome, log };
  }
  const outcome = new TransactionOutcome(tx, feeAtBase(tx, view.header));
  if (tx.feeBump !== undefined) checkFeeBump(tx, view, env, outcome);
  if (outcome.success) checkInner(tx, view, env, moment, outcome, log);
  return { outcome, log };
}

/**
 * Checks only the resources that a contract call declares, which do not depend on its account. Any other transaction passes.
 */
export function checkResources(
  tx: ParsedTransaction,
  view: LedgerView,
  { diagnostics, settings }: TransactionEnvironment,
): TransactionCheck {
  const log = new DiagnosticLog(diagnostics);
  const outcome = new TransactionOutcome(tx, feeAtBase(tx, view.header));
  const { sorobanData } = tx.inner;
  if (sorobanData !== undefined && !areResourcesValid(tx.inner, sorobanData, settings, log)) {
    outcome.fail('txSorobanInvalid');
  }
  return { outcome, log };
}

function checkInner(
  tx: ParsedTransaction,
  view: LedgerView,
  env: TransactionEnvironment,
  moment: LedgerMoment,
  outcome: TransactionOutcome,
  log: DiagnosticLog,
): void {
  const { inner } = tx;
  const { hash, signatures } = inner;
  const checker = new SignatureChecker(hash, signatures, env.verify, true, env.impersonation);
  const resourceFee = inner.isSoroban ? resourceFeeOf(inner, env.settings, 0) : undefined;
  const { failure } = checkCommon({
    tx,
    view,
    env,
    moment,
    checker,
    log,
    resourceFee,
    feeTaken: false,
  });
  if (failure !== undefined) {
    outcome.fail(failure);
    return;
  }
  for (const operation of inner.operations) {
    const result = checkOperation(operation, inner, view, env, log, (op) =>
      checkOperationSignature(op, view, checker),
    );
    if (result === undefined) continue;
    outcome.operations[operation.index] = result;
    outcome.fail('txFailed');
    return;
  }
  if (!checker.allUsed()) outcome.fail('txBadAuthExtra');
}

/**
 * Checks the outer part of a fee bump when it is submitted, and records a failure in the outcome. It has to bid enough, and
 * more per operation than the inner transaction; its source has to exist, sign, be able to pay and not be frozen (CAP-15;
 * stellar-core `FeeBumpTransactionFrame.cpp`).
 */
function checkFeeBump(
  tx: ParsedTransaction,
  view: LedgerView,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
): void {
  const { feeBump } = tx;
  if (feeBump === undefined) return;
  if (!checkBid(tx, view, outcome)) return;
  const account = peekAccount(view, feeBump.feeSource);
  if (account === undefined) {
    outcome.failOuter('txNoAccount');
    return;
  }
  const { hash, signatures } = feeBump;
  const checker = new SignatureChecker(hash, signatures, env.verify, true, env.impersonation);
  const { frozenKeys } = env.settings;
  if (!isSignedBy(checker, account, 'low')) {
    outcome.failOuter('txBadAuth');
  } else if (accountAvailableBalance(view.header, account) < feeBump.fee) {
    outcome.failOuter('txInsufficientBalance');
  } else if (
    frozenKeys.has(accountKeyId(feeBump.feeSource)) &&
    !frozenKeys.bypasses(feeBump.hash)
  ) {
    outcome.failOuter('txFrozenKeyAccessed');
  } else if (!checker.allUsed()) {
    outcome.failOuter('txBadAuthExtra');
  }
}

function checkBid(tx: ParsedTransaction, view: LedgerView, outcome: TransactionOutcome): boolean {
  const { inner } = tx;
  const bid = inclusionFee(tx);
  const outerMinimum = minInclusionFee(tx.operationCount, view.header);
  if (bid < outerMinimum) {
    outcome.failOuter('txInsufficientFee');
    return false;
  }
  const innerBid = inner.fee - inner.resourceFee;
  if (innerBid < 0n) {
    // Only a Soroban transaction can leave its resource fee to the fee bump.
    if (inner.isSoroban) return true;
    outcome.fail('txInsufficientFee');
    return false;
  }
  const innerMinimum = minInclusionFee(inner.operations.length, view.header);
  if (bid * innerMinimum >= innerBid * outerMinimum) return true;
  const needed = (innerBid * outerMinimum + innerMinimum - 1n) / innerMinimum;
  outcome.failOuter('txInsufficientFee');
  outcome.feeCharged = needed > INT64_MAX ? INT64_MAX : needed;
  return false;
}

const NOT_SUPPORTED = xdr.OperationResult.opNotSupported();
const NO_ACCOUNT = xdr.OperationResult.opNoAccount();
const BAD_AUTH = xdr.OperationResult.opBadAuth();

/** Returns why an operation is not authorized by its source; undefined if it is. */
export function checkOperationSignature(
  operation: ParsedOperation,
  view: LedgerView,
  checker: SignatureChecker,
): xdr.OperationResult | undefined {
  const account = peekAccount(view, operation.source);
  if (account !== undefined) {
    return isSignedBy(checker, account, thresholdOf(operation)) ? undefined : BAD_AUTH;
  }
  if (!operation.namesSource) return NO_ACCOUNT;
  // An earlier operation might create the account, so its own key must have signed.
  if (checker.waives(operation.source)) return undefined;
  const signers = [{ key: masterKey(operation.source), weight: 1 }];
  return checker.check(signers, 0) ? undefined : BAD_AUTH;
}

/** Returns why an operation's source cannot act; undefined if it exists. */
export function checkOperationSource(
  operation: ParsedOperation,
  view: LedgerView,
): xdr.OperationResult | undefined {
  return peekAccount(view, operation.source) === undefined ? NO_ACCOUNT : undefined;
}

/**
 * Returns why an operation can never be applied; undefined if it can. `checkSource` is called after the check that the
 * operation is supported and before the check that it is well formed (stellar-core `OperationFrame::checkValid`).
 */
export function checkOperation(
  operation: ParsedOperation,
  tx: InnerTransaction,
  view: LedgerView,
  env: Pick<TransactionEnvironment, 'settings'>,
  log: DiagnosticLog,
  checkSource: (operation: ParsedOperation, view: LedgerView) => xdr.OperationResult | undefined,
): xdr.OperationResult | undefined {
  const { body, source } = operation;
  if (isSorobanBody(body)) {
    return checkSource(operation, view) ?? checkSorobanOperation(body, tx, env.settings, log);
  }
  const rules = rulesFor(body.type);
  if (rules === undefined || rules.isSupported?.(view.header) === false) return NOT_SUPPORTED;
  return checkSource(operation, view) ?? rules.checkValid(body, source, view.header);
}

function thresholdOf({ body }: ParsedOperation): ThresholdLevel {
  if (isSorobanBody(body)) return body.type === 'invokeHostFunction' ? 'medium' : 'low';
  return rulesFor(body.type)?.threshold(body) ?? 'medium';
}
