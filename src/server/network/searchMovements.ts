import { z } from 'zod';
import { type EventFilter, type FateReader, movementFilters } from '../../protocol/fate/index.ts';
import type { SettlementHash } from '../../protocol/index.ts';
import { callAndRead, type RpcCall } from './rpcCall.ts';
import { RpcError } from './rpcError.ts';

const METHOD = 'getEvents';
/** Events on one page; a Stellar RPC server returns at most 10,000. */
const PAGE_EVENTS = 1_000;
/** Pages of one search, after which it counts as unanswered. */
const MAX_PAGES = 6;
/** How a server refuses a search that begins before its history. */
const RANGE = /ledger range: (\d+) - (\d+)/;
/** A cursor begins with the position in history, whose upper bits are the ledger. */
const LEDGER_BITS = 32n;

const schema = z.object({
  latestLedger: z.number(),
  cursor: z.string().nullish(),
  events: z.array(z.object({ txHash: z.string(), ledger: z.number() })),
});

type Page = z.infer<typeof schema>;
type Range = Parameters<FateReader['movements']>[1];
type Movements = Awaited<ReturnType<FateReader['movements']>>;

/** Returns the ledger of a cursor; `undefined` if it is not a position in history. */
function ledgerOf(cursor: string): number | undefined {
  const [position = ''] = cursor.split('-');
  return /^\d{1,19}$/.test(position) ? Number(BigInt(position) >> LEDGER_BITS) : undefined;
}

/**
 * Returns the cursor of the next page; `undefined` if the range is searched.
 * @throws RpcError `bad_answer` if the page does not show how far it reaches
 */
function nextPage({ cursor, events }: Page, end: number): string | undefined {
  const isFull = events.length >= PAGE_EVENTS;
  // Servers without a cursor return the whole range or a full page.
  if (cursor === undefined || cursor === null || cursor === '') {
    if (isFull) throw new RpcError('bad_answer', METHOD, 'a full page without a cursor');
    return undefined;
  }
  const reached = ledgerOf(cursor);
  if (reached === undefined) throw new RpcError('bad_answer', METHOD, 'an unreadable cursor');
  return reached > end || (reached === end && !isFull) ? undefined : cursor;
}

async function searchFrom(
  call: RpcCall,
  filters: readonly EventFilter[],
  { start, end, limit }: Range,
): Promise<Movements> {
  const hashes = new Set<SettlementHash>();
  let page: object = { startLedger: start, endLedger: end + 1 };
  let from: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const pagination = { limit: PAGE_EVENTS, ...(from === undefined ? {} : { cursor: from }) };
    const answer = await callAndRead(call, METHOD, { ...page, filters, pagination }, schema);
    // It cannot have searched a ledger that it does not have.
    if (answer.latestLedger < end) return undefined;
    for (const { txHash, ledger } of answer.events) {
      if (ledger <= end) hashes.add(txHash as SettlementHash);
    }
    from = nextPage(answer, end);
    if (from === undefined || hashes.size >= limit) {
      return { hashes: [...hashes].slice(0, limit), searchedFrom: start };
    }
    page = {};
  }
  throw new RpcError('bad_answer', METHOD, `the search did not end after ${MAX_PAGES} pages`);
}

/** Returns the first ledger of the server's history, if that is why it refused a search from `start`. */
function historyStart(error: unknown, { start, end }: Range): number | undefined {
  if (!(error instanceof RpcError) || error.code !== 'refused') return undefined;
  const first = Number(RANGE.exec(error.message)?.[1]);
  return first > start && first <= end ? first : undefined;
}

/**
 * Searches the ledgers `start` to `end` for transactions with an event of `movementFilters`. Ledgers before the server's history
 * are left out, which `searchedFrom` shows.
 * @returns at most `limit` hashes; `undefined` if the server does not have the range
 */
export async function searchMovements(
  call: RpcCall,
  movement: Parameters<FateReader['movements']>[0],
  range: Range,
): Promise<Movements> {
  const filters = movementFilters(movement);
  try {
    return await searchFrom(call, filters, range);
  } catch (error) {
    const start = historyStart(error, range);
    if (start !== undefined) return searchFrom(call, filters, { ...range, start });
    if (error instanceof RpcError && error.code === 'refused' && RANGE.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}
