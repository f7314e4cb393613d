import type { Hono } from 'hono';
import { tradesOf } from '../history/trade.ts';
import { bucketOf, type Spans, type TradeBucket, TradeBuckets } from '../history/tradeBuckets.ts';
import { Slice } from '../historyIndex/collectPage.ts';
import { indexKey } from '../historyIndex/indexKeys.ts';
import { requireTraded } from '../historyIndex/requireKnown.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Answers } from '../http/answers.ts';
import { type HorizonRequest, linkOf } from '../http/horizonRequest.ts';
import { type PageQuery, type Resource, readPageQuery } from '../http/paging.ts';
import { invalidField } from '../http/problem.ts';
import { tradeBucketResource } from '../resources/tradeBucket.ts';
import { inMarket, type Market, marketAssets, readMarket } from './tradeFilter.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RESOLUTIONS = [60_000, 300_000, 900_000, HOUR, DAY, 7 * DAY];

/** A request: which trades to collect, and into which spans. */
interface Aggregation {
  readonly market: Market;
  readonly spans: Spans;
  /** Milliseconds since 1970, inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** `/trade_aggregations`. */
export function tradeAggregationRoutes(app: Hono, view: HorizonView, answers: Answers): void {
  app.get(
    '/trade_aggregations',
    answers.object(async (request) => {
      const query = readPageQuery(request, () => '');
      const aggregation = readAggregation(request);
      const buckets = await collect(view, aggregation, query);
      if (buckets.length === 0) await requireTraded(view, marketAssets(aggregation.market));
      return {
        _links: linksOf(request, aggregation, query, buckets),
        _embedded: { records: buckets.map(tradeBucketResource) },
      };
    }),
  );
}

async function collect(
  view: HorizonView,
  { market, spans, from, to }: Aggregation,
  { order, limit }: PageQuery,
): Promise<readonly TradeBucket[]> {
  const { history } = view;
  const key = indexKey.tradesOfMarket(...marketAssets(market));
  const buckets = new TradeBuckets(spans, order);
  const ledgers = view.ledgersOf(key)(history.oldestSequence, history.latestSequence, order);
  const slice = new Slice();
  for await (const sequence of ledgers) {
    await slice.pause();
    const ledger = history.ledger(sequence);
    if (ledger === undefined) continue;
    const at = ledger.closeTime * 1_000;
    if (at < from || at >= to) continue;
    const isNewBucket = buckets.all.at(-1)?.from !== bucketOf(at, spans);
    if (isNewBucket && buckets.all.length === limit) break;
    const trades = view.transactions
      .of(ledger)
      .flatMap(({ operations }) => operations)
      .flatMap(tradesOf)
      .flatMap((trade) => inMarket(trade, market) ?? []);
    for (const trade of order === 'asc' ? trades : trades.reverse()) buckets.add(trade, at);
  }
  return buckets.all;
}

/** @throws HorizonProblem `bad_request` */
function readAggregation(request: HorizonRequest): Aggregation {
  const market = readMarket(request);
  if (market === undefined) throw invalidField('base_asset_type', 'Missing required field');
  const length = readMilliseconds(request, 'resolution') ?? 0;
  if (!RESOLUTIONS.includes(length)) {
    throw invalidField(
      'resolution',
      'illegal or missing resolution. ' +
        'allowed resolutions are: 1 minute (60000), 5 minutes (300000), 15 minutes (900000), 1 hour (3600000), ' +
        '1 day (86400000) and 1 week (604800000)',
    );
  }
  const offset = readMilliseconds(request, 'offset') ?? 0;
  if (offset % HOUR !== 0 || offset >= DAY || offset > length) {
    throw invalidField(
      'offset',
      'illegal or missing offset. offset must be a multiple of an' +
        ' hour, less than or equal to the resolution, and less than 24 hours',
    );
  }
  const spans = { length, offset };
  return { market, spans, ...readTimes(request, spans) };
}

/** Only complete spans are reported, so the start is moved forward, and the end back, to the start of a span. */
function readTimes(
  request: HorizonRequest,
  spans: Spans,
): { readonly from: number; readonly to: number } {
  const start = readMilliseconds(request, 'start_time') || undefined;
  const end = readMilliseconds(request, 'end_time') || undefined;
  const { length, offset } = spans;
  const from =
    start === undefined ? 0 : start < offset ? offset : bucketOf(start + length - 1, spans);
  if (end === undefined) return { from, to: Number.POSITIVE_INFINITY };
  const to = bucketOf(end, spans);
  if (end < offset || to < from) {
    throw invalidField(
      'end_time',
      'illegal end time. adjusted end time ' +
        'must be greater than the offset and greater than the provided start time',
    );
  }
  return { from, to };
}

function readMilliseconds(request: HorizonRequest, name: string): number | undefined {
  const text = request.text(name);
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidField(name, 'unparseable value');
}

/** The next page covers another time range. */
function linksOf(
  request: HorizonRequest,
  { spans }: Aggregation,
  { order }: PageQuery,
  buckets: readonly TradeBucket[],
): Resource {
  const next = new URL(request.url);
  const last = buckets.at(-1);
  if (last !== undefined && order === 'asc') {
    const end = Number(request.text('end_time')) || Number.POSITIVE_INFINITY;
    next.searchParams.set('start_time', String(Math.min(last.from + spans.length, end)));
  } else if (last !== undefined) {
    const start = Number(request.text('start_time'));
    next.searchParams.set('end_time', String(Math.max(last.from, start)));
  }
  next.searchParams.sort();
  return { self: linkOf(request.url.href), next: linkOf(next.href), prev: { href: '' } };
}
