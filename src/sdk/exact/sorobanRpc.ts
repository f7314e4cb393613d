import * as xdr from '@stellar/stellar-sdk/xdr';
import * as z from 'zod/mini';
import { jsonRpcCall, readJsonRpcAnswer, type StellarAddress } from '../../protocol/index.ts';
import { toScAddress } from '../../protocol/stellar/index.ts';
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
  events: z.array(z.object({ ledger: z.number(), txHash: z.string() })),
});

const transactionSchema = z.object({
  status: z.string(),
  envelopeXdr: z.nullish(z.string()),
});

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

/** A transfer that an asset's contract emitted. */
export interface TransferEvent {
  readonly ledger: number;
  /** Hash. */
  readonly transaction: string;
}

/** The calls of a Stellar RPC that a buyer needs. */
export interface SorobanRpc {
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
  /** Transfers of an asset in a range of ledgers, inclusive; `undefined` if the RPC's history does not cover it. */
  transfers(
    between: { readonly asset: string; readonly from: string; readonly to: string },
    range: { readonly start: number; readonly end: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly TransferEvent[] | undefined>;
  /** The envelope of a transaction with this hash, base64 XDR; `undefined` if the RPC does not have it. */
  envelope(hash: string, signal?: AbortSignal): Promise<string | undefined>;
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
    async transfers({ asset, from, to }, { start, end, limit }, signal) {
      const topics = [TRANSFER, addressTopic(from), addressTopic(to)];
      const filters = [
        // A Stellar asset's event has a fourth topic with the asset's name.
        { type: 'contract', contractIds: [asset], topics: [topics, [...topics, '*']] },
      ];
      const search = { startLedger: start, endLedger: end + 1, filters, pagination: { limit } };
      const answer = await ask('getEvents', search, signal);
      // Refused: the range starts before the RPC's history.
      if ('refused' in answer) return undefined;
      const found = read('getEvents', eventsSchema, answer.result);
      if ((found.oldestLedger ?? start) > start || found.latestLedger < end) return undefined;
      return found.events.map(({ ledger, txHash }) => ({ ledger, transaction: txHash }));
    },
    async envelope(hash, signal) {
      const result = await call('getTransaction', { hash }, signal);
      const { status, envelopeXdr } = read('getTransaction', transactionSchema, result);
      return status === 'SUCCESS' ? (envelopeXdr ?? undefined) : undefined;
    },
  };
}

const TRANSFER = xdr.ScVal.scvSymbol('transfer').toXdr('base64');

function addressTopic(text: string): string {
  return xdr.ScVal.scvAddress(toScAddress(text as StellarAddress)).toXdr('base64');
}
