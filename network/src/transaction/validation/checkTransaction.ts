import type { LedgerView } from '../../state/index.ts';
import { DiagnosticLog } from '../diagnostics/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import { TransactionOutcome } from '../result/index.ts';
import { SignatureChecker } from '../signature/index.ts';
import { resourceFeeOf } from '../soroban/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { checkCommon } from './commonChecks.ts';
import { checkFeeBump } from './feeBumpChecks.ts';
import { feeAtBase, hasValidFee } from './fees.ts';
import { checkOperation, checkOperationSignature } from './operationChecks.ts';
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
