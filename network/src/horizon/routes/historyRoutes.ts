import type { Hono } from 'hono';
import { operationEffects } from '../effects/operationEffects.ts';
import type { HistoryOperation } from '../history/historyOperation.ts';
import { transactionId, wholePosition } from '../history/position.ts';
import { collectHistoryPage } from '../historyIndex/collectPage.ts';
import { isPayment } from '../historyIndex/indexKeys.ts';
import {
  everything,
  ofAccount,
  ofClaimableBalance,
  ofLedger,
  ofOperation,
  ofPool,
  ofTransaction,
  type Scope,
} from '../historyIndex/scope.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import type { PageQuery, PageRecord } from '../http/paging.ts';
import { accountPart } from '../http/parameters.ts';
import { HorizonProblem, invalidField } from '../http/problem.ts';
import { effectRecord } from '../resources/effect.ts';
import { operationRecord, operationResource } from '../resources/operation.ts';
import { transactionRecord } from '../resources/transaction.ts';
import { readSequence } from './ledgerRoutes.ts';
import { claimableBalanceIdPart, poolIdPart } from './parts.ts';
import { findTransaction } from './transactionRoutes.ts';

type ReadScope = (request: HorizonRequest) => Scope;

const PAGES = {
  transactions: transactionsPage,
  operations: operationsPage,
  payments: paymentsPage,
  effects: effectsPage,
};

type PageName = keyof typeof PAGES;

const ALL: readonly PageName[] = ['transactions', 'operations', 'payments', 'effects'];

/** Transactions, operations, payments and effects: all of them, and those of each resource that has them. */
export function historyRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  const add = (path: string, pages: readonly PageName[], scope: ReadScope): void => {
    for (const name of pages) {
      app.get(
        `${path}/${name}`,
        answers.streamedPage(async (request, query) => {
          const asked = scope(request);
          const page = await PAGES[name](view, request, query, asked);
          if (page.length === 0) await asked.requireKnown();
          return page;
        }),
      );
    }
  };
  add('', ALL, () => everything(view));
  add('/accounts/:account_id', ALL, (request) =>
    ofAccount(view, accountPart(request), request.part('account_id')),
  );
  add('/ledgers/:ledger_id', ALL, (request) =>
    ofLedger(readSequence(view, request.part('ledger_id'))),
  );
  add('/transactions/:tx_id', ['operations', 'payments', 'effects'], (request) => {
    const hash = request.part('tx_id');
    return ofTransaction(findTransaction(view, hash).ledger.sequence, hash);
  });
  add('/operations/:op_id', ['effects'], (request) => {
    const id = readOperationId(request.part('op_id'));
    return ofOperation(Number(id >> 32n), id);
  });
  add('/claimable_balances/:id', ['transactions', 'operations'], (request) =>
    ofClaimableBalance(view, claimableBalanceIdPart(request)),
  );
  add('/liquidity_pools/:id', ['transactions', 'operations', 'effects'], (request) =>
    ofPool(view, poolIdPart(request)),
  );
  app.get(
    '/operations/:op_id',
    answers.object((request) => {
      const id = readOperationId(request.part('op_id'));
      const join = joinsTransactions(request);
      const sequence = Number(id >> 32n);
      if (sequence < view.history.oldestSequence) throw new HorizonProblem('before_history');
      const ledger = view.history.ledger(sequence);
      const operation = (ledger === undefined ? [] : view.transactions.of(ledger))
        .flatMap(({ operations }) => operations)
        .find((one) => one.id === id);
      if (operation === undefined) throw new HorizonProblem('not_found');
      return operationResource(request.links, operation, join);
    }),
  );
}

/** @throws HorizonProblem `bad_request` */
function readOperationId(text: string): bigint {
  const id = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  if (id === 0n || id >= 2n ** 63n) {
    throw invalidField('op_id', 'Operation ID must be an integer higher than 0');
  }
  return id;
}

/** The transactions in a scope. */
function transactionsPage(
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
function operationsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return pageOfOperations(view, request, query, scope, false);
}

/** The operations in a scope that are payments. */
function paymentsPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: Scope,
): Promise<PageRecord[]> {
  return pageOfOperations(view, request, query, scope, true);
}

/** The effects of the operations in a scope. */
function effectsPage(
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
function joinsTransactions(request: HorizonRequest): boolean {
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
