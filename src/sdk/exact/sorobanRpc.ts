import * as xdr from '@stellar/stellar-sdk/xdr';
import * as z from 'zod/mini';
import { type FateReader, type Movement, movementFilters } from '../../protocol/fate/index.ts';
import { jsonRpcCall, readJsonRpcAnswer, type SettlementHash } from '../../protocol/index.ts';
import { type AssetMovement, assetMovementOf } from '../../protocol/stellar/index.ts';
import { RpcFailedError } from './errors.ts';
import type { HttpTransport } from './httpTransport.ts';

const simulationSchema = z.object({
  latestLedger: z.number(),
  error: z.nullish(z.string()),
  minResourceFee: z.nullish(z.string().check(z.regex(/^\d+$/))),
  transactionData: z.nullish(z.string()),
  results: z.nullish(
    z.array(z.object({ auth: z.nullish(z.array(z.string())), xdr: z.nullish(z.string()) })),
  ),
  restorePreamble: z.optional(z.unknown()),
});

export type RpcSimulation = z.infer<typeof simulationSchema>;

const entriesSchema = z.object({
  latestLedger: z.number(),
  entries: z.nullish(
    z.array(z.object({ key: z.string(), xdr: z.string(), lastModifiedLedgerSeq: z.number() })),
  ),
});

const eventsSchema = z.object({
  oldestLedger: z.nullish(z.number()),
  latestLedger: z.number(),
  events: z.array(
    z.object({ ledger: z.number(), txHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  ),
  cursor: z.nullish(z.string()),
});

type Events = z.infer<typeof eventsSchema>;

const transactionSchema = z.object({
  status: z.string(),
  ledger: z.nullish(z.number()),
  envelopeXdr: z.nullish(z.string()),
  // Since version 23 of Stellar RPC: for each operation, the events of its contracts.
  events: z.nullish(
    z.object({ contractEventsXdr: z.nullish(z.array(z.nullish(z.array(z.string())))) }),
  ),
});

type TransactionAnswer = z.infer<typeof transactionSchema>;

/** What a transaction's events show to have moved; `undefined` if the server shows no events. Throws if they are malformed. */
function movementsIn({ events }: TransactionAnswer): readonly AssetMovement[] | undefined {
  return events?.contractEventsXdr
    ?.flatMap((ofOperation) => ofOperation ?? [])
    .flatMap((event) => assetMovementOf(xdr.ContractEvent.fromXdr(event, 'base64')) ?? []);
}

const healthSchema = z.object({ oldestLedger: z.number() });

/** Older servers do not report when the ledger closed. */
const timeSchema = z.object({
  closeTime: z.optional(z.union([z.string().check(z.regex(/^\d{1,12}$/)), z.number()])),
});

/** An entry of the ledger. */
export interface RpcEntry {
  /** `LedgerKey`, base64 XDR. */
  readonly key: string;
  /** `LedgerEntryData`, base64 XDR. */
  readonly data: string;
  readonly lastModifiedLedger: number;
}

/** The calls of a Stellar RPC that a buyer needs. `readFate` reads an authorization's fate by some of them. */
export interface SorobanRpc extends FateReader {
  latestLedger(signal?: AbortSignal): Promise<number>;
  /** The time of the next ledger in seconds: now, or the time of the last ledger if that is ahead of this machine. */
  time(signal?: AbortSignal): Promise<bigint>;
  /** @param envelope base64 XDR; signed authorization entries are enforced */
  simulate(envelope: string, signal?: AbortSignal): Promise<RpcSimulation>;
  /** Returns the existing entries for keys in base64 XDR, and the ledger in which they were read. */
  entries(
    keys: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly latestLedger: number; readonly entries: readonly RpcEntry[] }>;
}

/** Connects to a Stellar RPC. Its failures are `RpcFailedError`s. */
export function connectRpc(url: string, transport: HttpTransport): SorobanRpc {
  let nextId = 1;

  type Answer = { readonly result: unknown } | { readonly refused: string };

  async function ask(
    method: string,
    params: object | undefined,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const id = nextId++;
    let text: string;
    let status: number;
    try {
      const response = await transport({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: jsonRpcCall(id, method, params),
        signal,
      });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new RpcFailedError(`The Stellar RPC ${url} cannot be reached.`, { cause });
    }
    const answer = readJsonRpcAnswer(text, id);
    if (answer.kind === 'malformed') {
      throw new RpcFailedError(`${url} answered ${method} with HTTP ${status}, not as an RPC.`);
    }
    return answer.kind === 'error' ? { refused: answer.message } : { result: answer.result };
  }

  async function call(method: string, params: object | undefined, signal?: AbortSignal) {
    const answer = await ask(method, params, signal);
    if ('result' in answer) return answer.result;
    throw new RpcFailedError(`The RPC refused ${method}: ${answer.refused}`);
  }

  function read<T>(method: string, schema: z.ZodMiniType<T>, result: unknown): T {
    const parsed = z.safeParse(schema, result);
    if (parsed.success) return parsed.data;
    throw new RpcFailedError(`The RPC's answer to ${method} cannot be read.`);
  }

  function readMovements(answer: TransactionAnswer): readonly AssetMovement[] | undefined {
    try {
      return movementsIn(answer);
    } catch (cause) {
      throw new RpcFailedError('The events of a transaction cannot be read.', { cause });
    }
  }

  async function askEvents(params: object): Promise<Events | undefined> {
    const answer = await ask('getEvents', params);
    return 'refused' in answer ? undefined : read('getEvents', eventsSchema, answer.result);
  }

  /** Returns the first ledger of the server's history; `undefined` if the server does not say. */
  async function oldestLedger(): Promise<number | undefined> {
    const answer = await ask('getHealth', undefined);
    const parsed = z.safeParse(healthSchema, 'result' in answer ? answer.result : undefined);
    return parsed.success ? parsed.data.oldestLedger : undefined;
  }

  async function searchMovements(
    movement: Movement,
    { start, end, limit }: { readonly start: number; readonly end: number; readonly limit: number },
  ): ReturnType<FateReader['movements']> {
    const filters = movementFilters(movement);
    const searchFrom = (startLedger: number) =>
      askEvents({ startLedger, endLedger: end + 1, filters, pagination: { limit } });
    let searchedFrom = start;
    let page = await searchFrom(start);
    if (page === undefined) {
      // Refused: the range probably starts before the server's history. What it still has can show the payment.
      const oldest = await oldestLedger();
      if (oldest === undefined || oldest <= start || oldest > end) return undefined;
      searchedFrom = oldest;
      page = await searchFrom(oldest);
    }
    const hashes: SettlementHash[] = [];
    for (let reached = searchedFrom - 1; ; ) {
      // A server that is behind has not searched the last ledgers.
      if (page === undefined || page.latestLedger < end) return undefined;
      searchedFrom = Math.max(searchedFrom, page.oldestLedger ?? searchedFrom);
      hashes.push(...hashesOf(page, end));
      const { cursor, events } = page;
      const left = limit - hashes.length;
      if (left <= 0) break;
      // Servers return less than the limit if a page would become too long. Older ones have no cursor and no such bound.
      const last = typeof cursor === 'string' ? ledgerOfCursor(cursor) : end;
      if (last === undefined || (last <= reached && events.length === 0)) return undefined;
      if (last >= end) break;
      reached = last;
      page = await askEvents({ filters, pagination: { cursor, limit: left } });
    }
    return { hashes: hashes.slice(0, limit), searchedFrom };
  }

  return {
    async latestLedger(signal) {
      const result = await call('getLatestLedger', undefined, signal);
      return read('getLatestLedger', z.object({ sequence: z.number() }), result).sequence;
    },
    async time(signal) {
      const result = await call('getLatestLedger', undefined, signal);
      const { closeTime = 0 } = read('getLatestLedger', timeSchema, result);
      return BigInt(Math.max(Math.floor(Date.now() / 1_000), Number(closeTime)));
    },
    async simulate(transaction, signal) {
      const result = await call('simulateTransaction', { transaction }, signal);
      return read('simulateTransaction', simulationSchema, result);
    },
    async entries(keys, signal) {
      const result = await call('getLedgerEntries', { keys }, signal);
      const { latestLedger, entries } = read('getLedgerEntries', entriesSchema, result);
      return {
        latestLedger,
        entries: (entries ?? []).map(({ key, xdr: data, lastModifiedLedgerSeq }) => ({
          key,
          data,
          lastModifiedLedger: lastModifiedLedgerSeq,
        })),
      };
    },
    movements: searchMovements,
    async transaction(hash) {
      const result = await call('getTransaction', { hash });
      const answer = read('getTransaction', transactionSchema, result);
      const { status, ledger, envelopeXdr: envelope } = answer;
      const successful = status === 'SUCCESS';
      if (!ledger || !envelope || (!successful && status !== 'FAILED')) return undefined;
      return { hash, ledger, successful, envelope, movements: readMovements(answer) };
    },
  };
}

/** Returns the ledger of an event's cursor (SEP-35); `undefined` if it is not one. */
function ledgerOfCursor(cursor: string): number | undefined {
  const [, place] = /^(\d{1,19})-\d{1,10}$/.exec(cursor) ?? [];
  return place === undefined ? undefined : Number(BigInt(place) >> 32n);
}

function hashesOf({ events }: Events, end: number): readonly SettlementHash[] {
  // The schema has checked them.
  return events.flatMap(({ ledger, txHash }) => (ledger <= end ? [txHash as SettlementHash] : []));
}
