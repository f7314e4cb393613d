import type { SettlementHash } from '../settlementHash.ts';
import {
  type AssetMovement,
  arrivedIn,
  instanceKey,
  isStellarAsset,
  nonceKey,
} from '../stellar/index.ts';
import { carriedBy, isSameTransfer } from './carried.ts';
import type { AuthorizationFate, PaidEvidence } from './fate.ts';
import type { Movement, SignedTransfer } from './movements.ts';

/** A transaction that some ledger includes. */
export interface IncludedTransaction {
  readonly hash: SettlementHash;
  readonly ledger: number;
  readonly successful: boolean;
  /** Base64 XDR. */
  readonly envelope: string;
  /** What its contracts report to have moved; `undefined` if the reader has no events of it. */
  readonly movements?: readonly AssetMovement[] | undefined;
}

/** The ledger as one Stellar RPC server reports it. Each method rejects if the server does not answer. */
export interface FateReader {
  /** Reads entries by their keys (base64 XDR), all at one ledger. Missing ones are left out. */
  entries(keys: readonly string[]): Promise<{
    readonly latestLedger: number;
    readonly entries: readonly {
      readonly key: string;
      /** `LedgerEntryData`, base64 XDR. */
      readonly data: string;
      readonly lastModifiedLedger: number | undefined;
    }[];
  }>;
  /**
   * Searches for transactions with an event of `movementFilters` in the ledgers `start` to `end`.
   * @returns at most `limit` hashes, and the first ledger that was searched; `undefined` if the server refuses the range
   */
  movements(
    movement: Movement,
    range: { readonly start: number; readonly end: number; readonly limit: number },
  ): Promise<
    { readonly hashes: readonly SettlementHash[]; readonly searchedFrom: number } | undefined
  >;
  /** Returns a transaction; `undefined` if the server does not have it. */
  transaction(hash: SettlementHash): Promise<IncludedTransaction | undefined>;
}

/** `max_entry_ttl` of the network: an authorization can expire at most so many ledgers ahead (CAP-46-11). */
const MAX_VALID_LEDGERS = 3_110_400;
/** Ledger 1 is the genesis of a network, which includes no transaction, and which servers do not have. */
const FIRST_LEDGER = 2;
/** Ledgers covered by one search for events; a Stellar RPC searches at most 10,000. */
const LEDGERS_A_SEARCH = 5_000;
/** Number of searches after which the history counts as too long to read. */
const MAX_SEARCHES = 30;
/** Candidate transactions to read before the search gives up. */
const MAX_CANDIDATES = 300;

/**
 * A server whose latest ledger is so far before the one for which a payment was signed is on a network that started again. A
 * healthy server is behind by a few ledgers at most.
 */
const BEFORE_RESET = 20;

type Found =
  | { readonly status: 'paid'; readonly hash: SettlementHash; readonly ledger: number }
  | Exhausted
  /** A successful transaction carries it, and shows nothing of the payment. */
  | { readonly status: 'silent' }
  | { readonly status: 'too_many' }
  | { readonly status: 'unread' };

/** No transaction that was read is the payment. */
interface Exhausted {
  readonly status: 'none';
  readonly searchedFrom: number;
  /** Another call used the nonce, which the ledger keeps at least until this ledger. */
  readonly otherUntil: number | undefined;
}

/** Returns the later of two ledgers. */
function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** Whether a transaction's events are known, and none of them brings anything to the recipient. */
export function showsNothing(
  { movements }: Pick<IncludedTransaction, 'movements'>,
  { asset, from: payer, to: payTo }: Pick<SignedTransfer, 'asset' | 'from' | 'to'>,
): boolean {
  return movements !== undefined && arrivedIn(movements, { asset, payer, payTo }) === 0n;
}

/** Reads candidate transactions until one is the payment. Another call with its nonce does not exclude it: nonces are forgotten. */
async function readCandidates(
  hashes: readonly SettlementHash[],
  sought: SignedTransfer,
  reader: FateReader,
): Promise<Exclude<Found, Exhausted> | Pick<Exhausted, 'status' | 'otherUntil'>> {
  let unread = false;
  let otherUntil: number | undefined;
  for (const hash of new Set(hashes)) {
    const included = await reader.transaction(hash);
    if (included === undefined) {
      unread = true;
      continue;
    }
    // A failed transaction uses no nonce.
    if (!included.successful) continue;
    const carried = carriedBy(included.envelope).find(
      ({ address, nonce }) => address === sought.from && nonce === sought.nonce,
    );
    if (carried === undefined) continue;
    if (carried.transfer !== undefined && isSameTransfer(carried.transfer, sought)) {
      if (showsNothing(included, sought)) return { status: 'silent' };
      return { status: 'paid', hash, ledger: included.ledger };
    }
    otherUntil = later(otherUntil, carried.expirationLedger);
  }
  return unread ? { status: 'unread' } : { status: 'none', otherUntil };
}

/** Searches ledgers, the newest first, for the payment. */
async function search(
  sought: SignedTransfer,
  first: number,
  last: number,
  reader: FateReader,
  movement: Movement = sought,
): Promise<Found> {
  let left = MAX_CANDIDATES;
  let searchedFrom = last + 1;
  let otherUntil: number | undefined;
  for (let end = last, searches = 0; end >= first; end -= LEDGERS_A_SEARCH, searches++) {
    if (searches >= MAX_SEARCHES) break;
    const start = Math.max(first, end - LEDGERS_A_SEARCH + 1);
    const answer = await reader.movements(movement, { start, end, limit: left });
    if (answer === undefined) break;
    const found = await readCandidates(answer.hashes, sought, reader);
    if (found.status !== 'none') return found;
    otherUntil = later(otherUntil, found.otherUntil);
    if (answer.hashes.length >= left) return { status: 'too_many' };
    left -= answer.hashes.length;
    searchedFrom = Math.max(start, answer.searchedFrom);
    if (searchedFrom > start) break;
  }
  return { status: 'none', searchedFrom, otherUntil };
}

/** Searches the ledger that used the nonce: for the payment, then for any other movement of the payer that used it. */
async function searchUse(
  sought: SignedTransfer,
  usedIn: number,
  reader: FateReader,
): Promise<Found> {
  const found = await search(sought, usedIn, usedIn, reader);
  if (found.status !== 'none' || found.otherUntil !== undefined) return found;
  const any = { asset: undefined, from: sought.from, to: undefined };
  return search(sought, usedIn, usedIn, reader, any);
}

function paid(
  { hash, ledger }: { readonly hash: SettlementHash; readonly ledger: number },
  evidence: PaidEvidence,
): AuthorizationFate {
  return { state: 'paid', hash, ledger, evidence };
}

/**
 * Reads the fate of a signed transfer from the ledger, submitted by anyone. Until its last ledger, the entry of its nonce
 * exists if and only if the nonce was used (CAP-46-11), and then the transaction that used it is read. After that, the payer's
 * movements of the asset are searched, since the entry is gone. The absence of an entry after the expiration proves nothing, nor
 * does the absence of an event in a history that starts too late. After a reset of the test network, the ledgers of the new one
 * prove nothing about the old one.
 *
 * The answer is as good as the server that gives it: callers for whom a wrong answer is expensive ask several.
 * Rejects as the reader does.
 *
 * @example
 * ```ts
 * const fate = await readFate(transfer, reader);
 * if (fate.state === 'paid') console.log(fate.hash);
 * ```
 */
export async function readFate(
  sought: SignedTransfer,
  reader: FateReader,
): Promise<AuthorizationFate> {
  const usedKey = nonceKey(sought.from, sought.nonce).toXdr('base64');
  const assetKey = instanceKey(sought.asset).toXdr('base64');
  const { entries, latestLedger } = await reader.entries([usedKey, assetKey]);
  const used = entries.find(({ key }) => key === usedKey);
  const { expirationLedger } = sought;
  const first = Math.max(FIRST_LEDGER, sought.firstLedger ?? expirationLedger - MAX_VALID_LEDGERS);

  if (used === undefined) {
    if (latestLedger < (sought.firstLedger ?? 0) - BEFORE_RESET) {
      return { state: 'unknown', because: 'network_reset' };
    }
    if (latestLedger < expirationLedger) return { state: 'open', until: expirationLedger };
    if (latestLedger === expirationLedger) {
      return { state: 'void', evidence: 'unused_at_expiration' };
    }
  }
  // A record that was written after the last ledger is of another use, which says nothing about an earlier one.
  const usedIn = used?.lastModifiedLedger;
  const hasItsRecord = used !== undefined && (usedIn ?? 0) <= expirationLedger;
  const isDated = hasItsRecord && usedIn !== undefined;
  const found = isDated
    ? await searchUse(sought, usedIn, reader)
    : await search(sought, first, Math.min(latestLedger, expirationLedger), reader);
  switch (found.status) {
    case 'paid':
      return paid(found, hasItsRecord ? 'nonce' : 'movement');
    case 'silent':
      return { state: 'unknown', because: 'shows_nothing' };
    case 'too_many':
      return { state: 'unknown', because: 'too_many_movements' };
    case 'unread':
      return { state: 'unknown', because: 'unreadable' };
    case 'none': {
      const { searchedFrom, otherUntil } = found;
      // While the record of another call exists, this one cannot be paid; it existed from that call on.
      const excludedUntil = later(otherUntil, isDated ? latestLedger : undefined);
      if (otherUntil !== undefined && (excludedUntil ?? 0) >= expirationLedger) {
        return { state: 'void', evidence: 'nonce_used_otherwise' };
      }
      if (otherUntil !== undefined && isDated) return { state: 'open', until: expirationLedger };
      if (hasItsRecord) return { state: 'unknown', because: 'user_of_nonce_not_found' };
      if (searchedFrom > first) return { state: 'unknown', because: 'history_too_short' };
      return isStellarAsset(entries.find(({ key }) => key === assetKey)?.data)
        ? { state: 'void', evidence: 'searched' }
        : { state: 'unknown', because: 'token_may_be_silent' };
    }
  }
}

/**
 * Reads what the ledger has of a payer's nonce whose authorization is not at hand: the transfer that used it, if its entry still
 * exists. The absence of an entry proves nothing. Rejects as the reader does.
 */
export async function readNonceUse(
  sought: Pick<SignedTransfer, 'from' | 'nonce'>,
  reader: FateReader,
): Promise<AuthorizationFate> {
  const { entries } = await reader.entries([nonceKey(sought.from, sought.nonce).toXdr('base64')]);
  const [used] = entries;
  if (used === undefined) return { state: 'unknown', because: 'not_found' };
  const ledger = used.lastModifiedLedger;
  const range = ledger && { start: ledger, end: ledger, limit: MAX_CANDIDATES };
  const movement = { asset: undefined, from: sought.from, to: undefined };
  const answer = range ? await reader.movements(movement, range) : undefined;
  for (const hash of answer?.hashes ?? []) {
    const included = await reader.transaction(hash);
    if (included?.successful !== true) continue;
    const carried = carriedBy(included.envelope).find(
      ({ address, nonce }) => address === sought.from && nonce === sought.nonce,
    );
    if (carried?.transfer === undefined) continue;
    return showsNothing(included, carried.transfer)
      ? { state: 'unknown', because: 'shows_nothing' }
      : paid(included, 'nonce');
  }
  return { state: 'unknown', because: 'user_of_nonce_not_found' };
}
