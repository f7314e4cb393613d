import { operationEffects } from '../effects/operationEffects.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { transactionId, wholePosition } from '../history/position.ts';
import { collectHistoryPage } from '../historyIndex/collectPage.ts';
import { isPayment } from '../historyIndex/indexKeys.ts';
import type { Scope } from '../historyIndex/scope.ts';
import type { HorizonView } from '../horizonView.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import type { PageRecord } from '../http/page.ts';
import type { PageQuery } from '../http/pageQuery.ts';
import { invalidField } from '../http/problem.ts';
import { effectRecord } from '../resources/effect.ts';
import { operationRecord } from '../resources/operation.ts';
import { transactionRecord } from '../resources/transaction.ts';

/** The transactions in a scope. */
export function transactionsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  const failedToo = scope.failedToo || includesFailed(request);
  return collectHistoryPage(
    view.history,
    query,
    (ledger) =>
      view.transactions.of(ledger).flatMap((past) => {
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

/** The operations in a scope. */
export function operationsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return pageOfOperations(view, request, query, scope, false);
}

/** The operations in a scope that are payments. */
export function paymentsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return pageOfOperations(view, request, query, scope, true);
}

/** The effects of the operations in a scope. */
export function effectsPage(
  view: HorizonView,
  { links }: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return collectHistoryPage(
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

/** Whether transactions are to be included in their operations. @throws HorizonProblem `bad_request` */
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
  return collectHistoryPage(
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

function operationsOf(view: HorizonView, ledger: HistoryOperation['ledger']): HistoryOperation[] {
  return view.transactions.of(ledger).flatMap(({ operations }) => operations);
}

/** @throws HorizonProblem `bad_request` */
function includesFailed(request: HorizonRequest): boolean {
  const failed = request.flag('include_failed');
  if (failed === undefined) {
    throw invalidField('include_failed', 'Filter should be true or false');
  }
  return failed;
}
