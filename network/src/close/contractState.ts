import type { xdr } from '@stellar/stellar-sdk';
import type { SorobanHost } from '../host/index.ts';
import {
  type EntryChange,
  entryXdr,
  type LedgerKeyId,
  type LedgerState,
  type LedgerView,
  SortedTree,
  ttlKeyId,
} from '../state/index.ts';
import { sizeForRent } from '../transaction/index.ts';

/** Index of the byte of a key that holds the type of its entry: the last of the first four. */
const KEY_TYPE_AT = 3;
const CONTRACT_DATA = 6;
const TTL = 9;

/** When an entry's TTL runs out. */
interface Expiry {
  readonly liveUntil: number;
  readonly ttlId: LedgerKeyId;
}

/**
 * What the engine has to know about all contract entries together: which code exists, how large the state is, and which entries
 * expire next. Every ledger updates it, and it is rebuilt from the state when the process starts.
 */
export class ContractState {
  /** Bytes that rent counts for each code; undefined until first needed. */
  readonly #codes = new Map<LedgerKeyId, number | undefined>();
  readonly #expiries = new SortedTree<Expiry, LedgerKeyId>(undefined, compareExpiries);
  readonly #entryOfTtl = new Map<LedgerKeyId, LedgerKeyId>();
  #dataBytes = 0;

  constructor(state: LedgerState) {
    for (const id of state.ids()) {
      const type = id.charCodeAt(KEY_TYPE_AT);
      if (type < CONTRACT_DATA || type > TTL) continue;
      const entry = state.glance(id);
      if (entry !== undefined) this.#add(id, entry);
    }
  }

  /** The keys of all contract code in the live state. */
  get codeIds(): Iterable<LedgerKeyId> {
    return this.#codes.keys();
  }

  hasCode(id: LedgerKeyId): boolean {
    return this.#codes.has(id);
  }

  absorb(changes: Iterable<EntryChange>): void {
    for (const { id, before, after } of changes) {
      if (before !== undefined) this.#remove(id, before);
      if (after !== undefined) this.#add(id, after);
    }
  }

  /** Bytes of contract data and, as rent counts it, contract code. */
  size(view: LedgerView, host: SorobanHost): bigint {
    let sum = BigInt(this.#dataBytes);
    for (const [id, known] of this.#codes) {
      const entry = known === undefined ? view.peek(id) : undefined;
      const bytes = entry === undefined ? (known ?? 0) : sizeForRent(entry, host);
      if (entry !== undefined) this.#codes.set(id, bytes);
      sum += BigInt(bytes);
    }
    return sum;
  }

  /** Must be called when the network's settings change, because the size of code depends on them. */
  forgetCodeSizes(): void {
    for (const id of this.#codes.keys()) this.#codes.set(id, undefined);
  }

  /** Entries whose TTL ran out before a ledger, in the order in which they expired. */
  *expired(
    ledgerSeq: number,
  ): Generator<{ entryId: LedgerKeyId; ttlId: LedgerKeyId; liveUntil: number }> {
    for (const [{ liveUntil, ttlId }] of this.#expiries.entries()) {
      if (liveUntil >= ledgerSeq) return;
      const entryId = this.#entryOfTtl.get(ttlId);
      if (entryId !== undefined) yield { entryId, ttlId, liveUntil };
    }
  }

  #add(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    switch (entry.data.type) {
      case 'contractData':
        this.#dataBytes += entryXdr(entry).length;
        this.#entryOfTtl.set(ttlKeyId(id), id);
        break;
      case 'contractCode':
        this.#codes.set(id, undefined);
        this.#entryOfTtl.set(ttlKeyId(id), id);
        break;
      case 'ttl': {
        const { liveUntilLedgerSeq: liveUntil } = entry.data.ttl;
        this.#expiries.set({ liveUntil, ttlId: id }, id);
        break;
      }
    }
  }

  #remove(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    switch (entry.data.type) {
      case 'contractData':
        this.#dataBytes -= entryXdr(entry).length;
        this.#entryOfTtl.delete(ttlKeyId(id));
        break;
      case 'contractCode':
        this.#codes.delete(id);
        this.#entryOfTtl.delete(ttlKeyId(id));
        break;
      case 'ttl':
        this.#expiries.delete({ liveUntil: entry.data.ttl.liveUntilLedgerSeq, ttlId: id });
        break;
    }
  }
}

function compareExpiries(a: Expiry, b: Expiry): number {
  if (a.liveUntil !== b.liveUntil) return a.liveUntil - b.liveUntil;
  if (a.ttlId === b.ttlId) return 0;
  return a.ttlId < b.ttlId ? -1 : 1;
}
