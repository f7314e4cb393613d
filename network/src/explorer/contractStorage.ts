import {
  ENTRY_TYPES,
  PrefixTree,
  type StateFollower,
  type StateIndexes,
} from '../horizon/index.ts';
import { type LedgerKeyId, type LedgerState, ledgerKeyOf, storedEntry } from '../state/index.ts';
import { TextRoom, valueText } from '../trace/index.ts';

/** An entry of a contract's storage. */
export interface StoredValue {
  readonly key: string;
  readonly value: string;
  readonly kind: 'instance' | 'persistent' | 'temporary';
  /** The last ledger in which it is live; null if it is archived. */
  readonly liveUntilLedger: number | null;
}

/** A page of a contract's entries, sorted by key. */
export interface StoragePage {
  /** The last closed ledger. */
  readonly ledger: number;
  readonly entries: readonly StoredValue[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

/** Maximum number of entries in a page, and of characters in all its texts. */
const PAGE = 25;
const MAX_TEXT = 60_000;
/** Maximum number of expired temporary entries skipped for a page. */
const MAX_PASSED = 500;
/** Maximum number of archived entries examined for a page. */
const MAX_ARCHIVED = 50_000;
/** Maximum size of a key in bytes, which no contract exceeds. */
const MAX_KEY = 4_096;

/** Keys of contract data begin with their type and the kind of the address. */
const DATA_OF = '\0\0\0\x06\0\0\0\x01';

/** Indexes the entries of each contract by key, without decoding them. */
class ContractEntries implements StateFollower {
  readonly types = [ENTRY_TYPES.contractData];
  readonly #ids = new PrefixTree<LedgerKeyId>();

  add(id: LedgerKeyId): void {
    this.#ids.set(id, id);
  }

  remove(id: LedgerKeyId): void {
    this.#ids.delete(id);
  }

  from(prefix: string, behind: string | undefined): Iterable<LedgerKeyId> {
    return this.#ids.walk(prefix, 'asc', behind);
  }
}

/**
 * Returns a page of a contract's storage, archived entries last.
 * @param cursor the `next` of the previous page; undefined or invalid: the first page
 */
export function storagePage(
  state: LedgerState,
  indexes: StateIndexes,
  contract: Uint8Array,
  cursor: string | undefined,
): StoragePage {
  const prefix = DATA_OF + Buffer.from(contract).toString('latin1');
  const room = new TextRoom(MAX_TEXT);
  const entries: StoredValue[] = [];
  const { ledgerSeq: ledger } = state.header;
  let behind = readCursor(cursor);
  let passed = 0;
  for (const id of indexes.get(ContractEntries).from(prefix, behind)) {
    if (entries.length === PAGE || passed === MAX_PASSED || room.isUsedUp) {
      return { ledger, entries, next: writeCursor(behind) };
    }
    behind = id.slice(prefix.length);
    const value = storedValue(state, id, room);
    if (value === undefined) passed += 1;
    else entries.push(value);
  }
  for (const id of archivedOf(state, prefix)) {
    if (entries.length >= 2 * PAGE) break;
    const value = storedValue(state, id, room);
    if (value !== undefined) entries.push(value);
  }
  return { ledger, entries, next: null };
}

function* archivedOf(state: LedgerState, prefix: string): Generator<LedgerKeyId> {
  let left = MAX_ARCHIVED;
  for (const id of state.archivedEntries().keys()) {
    if (id.startsWith(prefix)) yield id;
    left -= 1;
    if (left === 0) return;
  }
}

function storedValue(state: LedgerState, id: LedgerKeyId, room: TextRoom): StoredValue | undefined {
  const found = storedEntry(state, id);
  const key = ledgerKeyOf(id);
  if (found?.entry.data.type !== 'contractData' || key.type !== 'contractData') return undefined;
  const { key: name, durability } = key.contractData;
  const kind = name.type === 'scvLedgerKeyContractInstance' ? 'instance' : durability.name;
  return {
    key: valueText(name, room),
    value: valueText(found.entry.data.contractData.val, room),
    kind,
    liveUntilLedger: found.liveUntil || null,
  };
}

function writeCursor(behind: string | undefined): string | null {
  return behind === undefined ? null : Buffer.from(behind, 'latin1').toString('base64url');
}

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '' || cursor.length > 2 * MAX_KEY) return undefined;
  return Buffer.from(cursor, 'base64url').toString('latin1');
}
