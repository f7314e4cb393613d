import type { Hono } from 'hono';
import { hexText } from '../format/hex.ts';
import { type Trade, tradesOf } from '../history/trade.ts';
import { collectHistoryPage } from '../historyIndex/collectPage.ts';
import { indexKey } from '../historyIndex/indexKeys.ts';
import {
  requireKnownAccount,
  requireKnownPool,
  requireTraded,
} from '../historyIndex/requireKnown.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import type { PageQuery, PageRecord } from '../http/paging.ts';
import { accountParameter, accountPart } from '../http/parameters.ts';
import { invalidField } from '../http/problem.ts';
import { tradeRecord } from '../resources/trade.ts';
import { readOfferId } from './offerRoutes.ts';
import { poolId, poolIdPart } from './parts.ts';
import { inMarket, isOfType, marketAssets, readMarket, readTradeType } from './tradeFilter.ts';

/** The requested trades: their index key, and a filter for the trades under it. */
interface TradeScope {
  readonly key: string;
  holds(trade: Trade): boolean;
}

/** `/trades`, and the trades of an account, an offer or a pool. */
export function tradeRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/trades',
    answers.streamedPage((request, query) => tradesPage(view, request, query, readScope(request))),
  );
  app.get(
    '/accounts/:account_id/trades',
    answers.streamedPage(async (request, query) => {
      const account = accountPart(request);
      const page = await tradesPage(view, request, query, ofAccount(account));
      if (page.length === 0) await requireKnownAccount(view, account);
      return page;
    }),
  );
  app.get(
    '/offers/:offer_id/trades',
    answers.streamedPage((request, query) =>
      tradesPage(view, request, query, ofOffer(readOfferId(request.part('offer_id')))),
    ),
  );
  app.get(
    '/liquidity_pools/:id/trades',
    answers.streamedPage(async (request, query) => {
      const id = poolIdPart(request);
      const page = await tradesPage(view, request, query, ofPool(id));
      if (page.length === 0) await requireKnownPool(view, id);
      return page;
    }),
  );
}

async function tradesPage(
  view: HorizonView,
  request: HorizonRequest,
  query: PageQuery,
  scope: TradeScope,
): Promise<PageRecord[]> {
  const market = readMarket(request);
  const type = readTradeType(request);
  const assets = market && marketAssets(market);
  const isOnlyMarket = assets !== undefined && scope.key === indexKey.trades;
  const key = isOnlyMarket ? indexKey.tradesOfMarket(...assets) : scope.key;
  const page = await collectHistoryPage(
    view.history,
    query,
    (ledger) =>
      view.transactions
        .of(ledger)
        .flatMap(({ operations }) => operations)
        .flatMap(tradesOf)
        .flatMap((found) => {
          if (!scope.holds(found) || !isOfType(found, type)) return [];
          const trade = market === undefined ? found : inMarket(found, market);
          if (trade === undefined) return [];
          return {
            at: { id: trade.operation.id, part: BigInt(trade.order) },
            write: () => tradeRecord(request.links, trade),
          };
        }),
    view.ledgersOf(key),
  );
  if (page.length === 0 && assets !== undefined) await requireTraded(view, assets);
  return page;
}

/** @throws HorizonProblem `bad_request` */
function readScope(request: HorizonRequest): TradeScope {
  const account = accountParameter(request, 'account_id');
  const offer = request.text('offer_id');
  const pool = request.text('liquidity_pool_id');
  if ([account, offer || undefined, pool || undefined].filter(Boolean).length > 1) {
    throw invalidField(
      'account_id,liquidity_pool_id,offer_id',
      'Use a single filter for trades, you can only use one of account_id, liquidity_pool_id, offer_id',
    );
  }
  if (account !== undefined) return ofAccount(account);
  if (offer !== '') return ofOffer(readOfferId(offer));
  if (pool !== '') return ofPool(poolId('liquidity_pool_id', pool));
  return { key: indexKey.trades, holds: () => true };
}

function ofAccount(account: Parameters<typeof indexKey.tradesOf>[0]): TradeScope {
  return {
    key: indexKey.tradesOf(account),
    holds: ({ base, counter }) => base.account === account || counter.account === account,
  };
}

function ofOffer(id: bigint): TradeScope {
  return {
    key: indexKey.tradesOfOffer(id),
    holds: ({ base, counter }) => base.offerId === id || counter.offerId === id,
  };
}

function ofPool(id: string): TradeScope {
  return {
    key: indexKey.pool(id),
    holds: ({ base, counter }) =>
      [base, counter].some(({ poolId }) => poolId !== undefined && hexText(poolId.value) === id),
  };
}
