import { operationEffects } from '../effects/operationEffects.ts';
import type { HorizonView } from '../horizonView.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import type { PageRecord } from '../http/page.ts';
import type { PageQuery } from '../http/pageQuery.ts';
import { invalidField } from '../http/problem.ts';
import type { PastOperation } from '../past/pastOperation.ts';
import { transactionId, wholePosition } from '../past/position.ts';
import { isPayment } from '../pastIndex/pastDigest.ts';
import type { Scope } from '../pastIndex/scope.ts';
import { walkPast } from '../pastIndex/walk.ts';
import { effectRecord } from '../resources/effect.ts';
import { operationRecord } from '../resources/operation.ts';
import { transactionRecord } from '../resources/transaction.ts';

/** The transactions of a part of the past. */
export function transactionsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  const failedToo = scope.failedToo || includesFailed(request);
  return walkPast(
    view.history,
    query,
    (ledger) =>
      view.past.of(ledger).flatMap((past) => {
        const { transaction } = past;
        if (!failedToo && !transaction.successful) return [];
        if (!scope.holdsTransaction(past)) return [];
        return {
          at: wholePosition(transactionId(past)),
          write: () => transactionRecord(request.links, { ledger, transaction }),
        };
      }),
    scope.transactions,
  );
}

/** The operations of a part of the past. */
export function operationsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return pageOfOperations(view, request, query, scope, false);
}

/** Those of its operations that are payments. */
export function paymentsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return pageOfOperations(view, request, query, scope, true);
}

/** What the operations of a part of the past did to accounts. */
export function effectsPage(
  view: HorizonView,
  { links }: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return walkPast(
    view.history,
    query,
    (ledger) =>
      operationsOf(view, ledger).flatMap((operation) =>
        operationEffects(operation).flatMap((effect, at) => {
          if (!scope.holdsEffect(operation, effect.account)) return [];
          const order = at + 1;
          return {
            at: { id: operation.id, part: BigInt(order) },
            write: () => effectRecord(links, operation, effect, order),
          };
        }),
      ),
    scope.effects,
  );
}

/** Whether operations are to be written with their transactions. @throws HorizonProblem `bad_request` */
export function joinsTransactions(request: HorizonRequest): boolean {
  const join = request.text('join');
  if (join !== '' && join !== 'transactions') {
    throw invalidField('join', 'Accepted values: transactions');
  }
  return join === 'transactions';
}

function pageOfOperations(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
  onlyPayments: boolean,
): Promise<PageRecord[]> {
  const failedToo = scope.failedToo || includesFailed(request);
  const join = joinsTransactions(request);
  return walkPast(
    view.history,
    query,
    (ledger) =>
      operationsOf(view, ledger).flatMap((operation) => {
        if (!failedToo && !operation.transaction.successful) return [];
        if (onlyPayments && !isPayment(operation)) return [];
        if (!scope.holdsOperation(operation)) return [];
        return {
          at: wholePosition(operation.id),
          write: () => operationRecord(request.links, operation, join),
        };
      }),
    onlyPayments ? scope.payments : scope.transactions,
  );
}

function operationsOf(view: HorizonView, ledger: PastOperation['ledger']): PastOperation[] {
  return view.past.of(ledger).flatMap(({ operations }) => operations);
}

/** @throws HorizonProblem `bad_request` */
function includesFailed(request: HorizonRequest): boolean {
  const failed = request.flag('include_failed');
  if (failed === undefined) {
    throw invalidField('include_failed', 'Filter should be true or false');
  }
  return failed;
}
