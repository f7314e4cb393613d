import { xdr } from '@stellar/stellar-sdk';
import type { LedgerView } from '../../state/index.ts';
import { peekAccount } from '../balances/index.ts';
import type { DiagnosticLog } from '../diagnostics/index.ts';
import { type InnerTransaction, isSorobanBody, type ParsedOperation } from '../envelope/index.ts';
import { rulesFor, type ThresholdLevel } from '../operations/index.ts';
import { isSignedBy, masterKey, type SignatureChecker } from '../signature/index.ts';
import { checkSorobanOperation } from '../soroban/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';

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
