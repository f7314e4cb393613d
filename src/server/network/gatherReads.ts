import { askEntries, type EntriesAnswer } from './getLedgerEntries.ts';
import type { ReadingCall } from './jsonRpcTransport.ts';
import type { RpcCall } from './rpcCall.ts';

/** Maximum number of keys that an RPC server accepts in one call. */
const MAX_KEYS = 200;
/** Maximum number of calls in one request, since the response to a lookup contains the whole transaction. */
const MAX_CALLS = 10;

/** Reads that are sent together. */
export interface GatheredReads {
  /** Makes one read-only call. */
  readonly call: RpcCall;
  /** Reads entries by key. Keys and entries are base64 XDR. */
  readonly readEntries: (keys: readonly string[]) => Promise<EntriesAnswer>;
}

interface WaitingCall extends ReadingCall {
  readonly resolve: (result: Promise<unknown>) => void;
}

interface WaitingKeys {
  readonly keys: readonly string[];
  readonly resolve: (answer: Promise<EntriesAnswer>) => void;
}

/** Splits waiting reads into groups that each fit into one call; a single read is never split. */
function groupsOf(waiting: readonly WaitingKeys[]): WaitingKeys[][] {
  const groups: WaitingKeys[][] = [];
  let size = MAX_KEYS;
  for (const one of waiting) {
    size += one.keys.length;
    if (size > MAX_KEYS) {
      groups.push([]);
      size = one.keys.length;
    }
    groups.at(-1)?.push(one);
  }
  return groups;
}

/**
 * Combines the reads of one turn of the event loop: all entries into one call, and all calls into one request. The settlements
 * of one ledger are decided together, and each one looks up its transaction and reads the entries that prove it, which would
 * otherwise take two requests each. A single read is sent unchanged, after the turn in which it arrived.
 * @param callTogether sends calls in one request
 */
export function gatherReads(
  callTogether: (calls: readonly ReadingCall[]) => readonly Promise<unknown>[],
): GatheredReads {
  let calls: WaitingCall[] = [];
  let readings: WaitingKeys[] = [];

  const call: RpcCall = (method, params) =>
    new Promise((resolve) => {
      expectLeaving();
      calls.push({ method, params, resolve });
    });

  function leave(): void {
    const groups = groupsOf(readings);
    readings = [];
    for (const group of groups) {
      // Calls `call` immediately, so that it is sent with the others.
      const answer = askEntries(call, [...new Set(group.flatMap(({ keys }) => keys))]);
      for (const { resolve } of group) resolve(answer);
    }
    const all = calls;
    calls = [];
    for (let from = 0; from < all.length; from += MAX_CALLS) {
      const some = all.slice(from, from + MAX_CALLS);
      const results = callTogether(some.map(({ method, params }) => ({ method, params })));
      for (const [at, result] of results.entries()) some[at]?.resolve(result);
    }
    leaving = false;
  }

  let leaving = false;
  function expectLeaving(): void {
    if (!leaving) setImmediate(leave);
    leaving = true;
  }

  return {
    call,
    readEntries: (keys) =>
      new Promise((resolve) => {
        expectLeaving();
        readings.push({ keys, resolve });
      }),
  };
}
