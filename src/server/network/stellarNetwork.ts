import type * as xdr from '@stellar/stellar-sdk/xdr';
import { z } from 'zod';
import type { FateReader } from '../../protocol/fate/index.ts';
import { NOMINAL_LEDGER_SECONDS, type SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { gatherReads } from './gatherReads.ts';
import { getHealth, type NetworkHealth } from './getHealth.ts';
import { type EntriesAnswer, getLedgerEntries, type LedgerEntries } from './getLedgerEntries.ts';
import { type ClosedLedger, getLedgers, ledgerHash } from './getLedgers.ts';
import { getTransaction, type TransactionLookup } from './getTransaction.ts';
import { createInclusionFeeEstimate } from './inclusionFeeEstimate.ts';
import { callAndRead, type RpcCall } from './rpcCall.ts';
import { RpcError } from './rpcError.ts';
import { openRpcServers, type ServersOptions } from './rpcServers.ts';
import { searchMovements } from './searchMovements.ts';
import { type Submission, sendTransaction } from './sendTransaction.ts';
import { type Simulation, simulateTransaction } from './simulateTransaction.ts';

const networkSchema = z.object({
  passphrase: z.string(),
  protocolVersion: z.number(),
  friendbotUrl: z.string().nullish(),
});

type NetworkDescription = z.infer<typeof networkSchema>;

/** Which network the server is on. */
function getNetwork(call: RpcCall): Promise<NetworkDescription> {
  return callAndRead(call, 'getNetwork', undefined, networkSchema);
}

const latestLedgerSchema = z.object({ sequence: z.number() });

/** Sequence number of the latest ledger the server has. */
async function getLatestLedger(call: RpcCall): Promise<number> {
  return (await callAndRead(call, 'getLatestLedger', undefined, latestLedgerSchema)).sequence;
}

const SAMPLE_LEDGERS = 20;
const FRESH_MS = 60_000;

interface CloseTimeEstimate {
  /** Returns the last measured time between ledgers in seconds, from 1 to 5. Never waits. */
  seconds(latestLedger: number): number;
}

/**
 * Estimates how fast ledgers close, measured over the last 20 and kept for a minute. A measurement never
 * delays a payment: it runs in the background, and the last value is used until it is done.
 *
 * The value is kept between 1 and 5. Buyers assume 5 seconds if they know nothing better, so on a network that closes ledgers
 * more slowly (the embedded one closes them on demand) their expirations must not look too far away. Ledgers of less than a
 * second still have timestamps in whole seconds.
 */
function createCloseTimeEstimate(
  getLedgers: (start: number, limit: number) => Promise<readonly ClosedLedger[]>,
  clock: Clock,
): CloseTimeEstimate {
  let value = NOMINAL_LEDGER_SECONDS;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function measure(latestLedger: number): Promise<void> {
    const start = Math.max(latestLedger - SAMPLE_LEDGERS + 1, 2);
    const ledgers = await getLedgers(start, SAMPLE_LEDGERS);
    const first = ledgers[0];
    const last = ledgers.at(-1);
    if (first === undefined || last === undefined || last.sequence <= first.sequence) return;
    const average = (last.closedAt - first.closedAt) / (last.sequence - first.sequence);
    value = Math.min(Math.max(Math.ceil(average), 1), NOMINAL_LEDGER_SECONDS);
  }

  return {
    seconds(latestLedger) {
      if (clock.elapsed() - askedAt > FRESH_MS) {
        askedAt = clock.elapsed();
        // A failed measurement leaves the last value: it only widens or narrows a tolerance.
        measure(latestLedger).catch(() => undefined);
      }
      return value;
    },
  };
}

/** Attempts at a read, and the pause between them (spec: Limits/Transient-failure retry). */
const ATTEMPTS = 2;
const PAUSE_MS = 6_000;

/**
 * Repeats a read-only call once after a failure that may be temporary (`RpcError.transient`). Other
 * failures are final.
 * Submissions are not repeated here: they have their own rules (`settlement/send.ts`).
 */
async function retryTransient<T>(read: () => Promise<T>, clock: Clock): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const again = error instanceof RpcError && error.transient && attempt < ATTEMPTS;
      if (!again) throw error;
      await clock.sleep(PAUSE_MS);
    }
  }
}

const stroops = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);

const feeStatsSchema = z.object({ sorobanInclusionFee: z.object({ p90: stroops }) });

/**
 * Returns the 90th percentile of the inclusion fees of contract transactions in the last ledgers, in
 * stroops.
 */
async function getFeeStats(call: RpcCall): Promise<bigint> {
  return (await callAndRead(call, 'getFeeStats', undefined, feeStatsSchema)).sorobanInclusionFee
    .p90;
}

/**
 * The Stellar network for the service: its RPC servers, embedded or remote, by URL.
 * Reads that a settlement depends on are repeated once if there is no response.
 * Every method rejects with `RpcError` without a readable response.
 */
export interface StellarNetwork {
  getNetwork(): Promise<NetworkDescription>;
  getLatestLedger(): Promise<number>;
  /** What the server says of itself, without a retry. */
  getHealth(): Promise<NetworkHealth>;
  /** The hash of a closed ledger, without a retry; `undefined` if the server does not have that ledger. */
  ledgerHash(sequence: number): Promise<string | undefined>;
  /** Milliseconds for which the servers' limit of calls delays another call; 0 if it would be sent now. */
  readonly limitedForMs: number;
  getLedgerEntries(keys: readonly xdr.LedgerKey[]): Promise<LedgerEntries>;
  /** Like `getLedgerEntries`, for keys in base64 XDR and with undecoded entries. */
  readEntries(keys: readonly string[]): Promise<EntriesAnswer>;
  /** Like the previous method, but without a retry. */
  glanceAt(keys: readonly string[]): Promise<EntriesAnswer>;
  simulate(transaction: string): Promise<Simulation>;
  send(transaction: string): Promise<Submission>;
  lookUp(hash: SettlementHash): Promise<TransactionLookup>;
  /** Searches some ledgers for transactions that may have moved an asset between two addresses. */
  searchMovements: FateReader['movements'];
  /** Whether a response as of `ledger` is older than an earlier response. */
  isBehind(ledger: number): boolean;
  /** The last measured duration of a ledger, in seconds; never waits. */
  ledgerSeconds(latestLedger: number): number;
  /** Returns the last measured inclusion fee of others, in stroops; 0 if unknown. Never waits. */
  inclusionFee(): bigint;
  close(): void;
}

/** Two attempts at a read and the pause between them fit into the time that a seller waits. */
const CALL_TIMEOUT_MS = 6_000;
/** The same if another server can be asked instead. */
const SHORT_TIMEOUT_MS = 2_000;
/** How long after a submission the server that got it is believed if it does not have the transaction. */
const HANDED_OVER_MS = 2_000;
/** Submissions whose server is remembered. */
const MAX_HANDED_OVER = 1_000;
/** A network that was reset, as an embedded one can be, does not count as behind forever. */
const NEWEST_LASTS_MS = 30_000;
/** Enough for every channel and for simultaneous verifications. */
const MAX_CONNECTIONS = 64;

export interface NetworkOptions
  extends Pick<ServersOptions, 'certificateAuthority' | 'onCall' | 'onChange'> {
  readonly url: string;
  /** Further servers of the same network, used while the first fails. */
  readonly otherUrls?: readonly string[];
  /** Calls a second to each server; `null` for as many as it accepts. */
  readonly callsPerSecond?: number | null;
}

/** Connects to the RPC servers of a Stellar network. Nothing is sent until the first call. */
export function connectNetwork(options: NetworkOptions, clock: Clock): StellarNetwork {
  const { url, otherUrls = [], callsPerSecond = null, ...rest } = options;
  const urls = [url, ...otherUrls];
  const rpc = openRpcServers(
    {
      timeoutMs: urls.length === 1 ? CALL_TIMEOUT_MS : SHORT_TIMEOUT_MS,
      maxConnections: MAX_CONNECTIONS,
      urls,
      callsPerSecond,
      ...rest,
    },
    clock,
  );
  const { call } = rpc;
  let newest = { ledger: 0, at: 0 };
  function seen<T extends { readonly latestLedger: number }>(answer: T): T {
    const { latestLedger: ledger } = answer;
    const now = clock.elapsed();
    if (ledger >= newest.ledger || now - newest.at > NEWEST_LASTS_MS) newest = { ledger, at: now };
    return answer;
  }
  const gathered = gatherReads(rpc.callTogether);
  const estimate = createCloseTimeEstimate((start, limit) => getLedgers(call, start, limit), clock);
  const fees = createInclusionFeeEstimate(() => getFeeStats(call), clock);
  const handedOver = new Map<string, number>();

  async function send(transaction: string): Promise<Submission> {
    const submission = await sendTransaction(call, transaction);
    if (urls.length > 1 && submission.hash !== undefined) {
      handedOver.set(submission.hash, clock.elapsed());
      const [oldest] = handedOver.keys();
      if (handedOver.size > MAX_HANDED_OVER && oldest !== undefined) handedOver.delete(oldest);
    }
    return seen(submission);
  }

  /** Looks a transaction up. A server that does not have it is not believed alone: every other one is asked. */
  async function lookUp(hash: SettlementHash): Promise<TransactionLookup> {
    const found = await getTransaction(gathered.call, hash);
    if (found.status !== 'NOT_FOUND' || urls.length === 1) return seen(found);
    const sentAt = handedOver.get(hash);
    if (sentAt !== undefined && clock.elapsed() - sentAt < HANDED_OVER_MS) return seen(found);
    const asked = await Promise.allSettled(
      rpc.servers
        .filter(({ isDown }) => !isDown)
        .map((server) =>
          getTransaction((method, params) => rpc.askOne(server, method, params), hash),
        ),
    );
    const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    return seen(mostTelling([found, ...answers]));
  }

  return {
    getNetwork: () => getNetwork(call),
    getLatestLedger: () => getLatestLedger(call),
    getHealth: () => getHealth(gathered.call),
    ledgerHash: (sequence) => ledgerHash(call, sequence),
    get limitedForMs() {
      return rpc.waitMs;
    },
    getLedgerEntries: async (keys) =>
      seen(await retryTransient(() => getLedgerEntries(gathered.readEntries, keys), clock)),
    readEntries: async (keys) =>
      seen(await retryTransient(() => gathered.readEntries(keys), clock)),
    simulate: async (transaction) =>
      seen(await retryTransient(() => simulateTransaction(call, transaction), clock)),
    send,
    glanceAt: async (keys) => seen(await gathered.readEntries(keys)),
    lookUp,
    searchMovements: (movement, range) =>
      retryTransient(() => searchMovements(call, movement, range), clock),
    isBehind: (ledger) => ledger < newest.ledger,
    ledgerSeconds: (latestLedger) => estimate.seconds(latestLedger),
    inclusionFee: () => fees.stroops(),
    close: () => rpc.close(),
  };
}

/** The lookup of a server that has the transaction, or else of the one whose history reaches back furthest. */
function mostTelling(lookups: readonly TransactionLookup[]): TransactionLookup {
  return lookups.reduce((best, one) => {
    if (best.status !== 'NOT_FOUND') return best;
    if (one.status !== 'NOT_FOUND') return one;
    const oldest = one.oldestLedger ?? Number.POSITIVE_INFINITY;
    const bestOldest = best.oldestLedger ?? Number.POSITIVE_INFINITY;
    if (oldest !== bestOldest) return oldest < bestOldest ? one : best;
    return one.latestLedger < best.latestLedger ? one : best;
  });
}
