import type { AccountIdString, LedgerKeyId } from '../../state/index.ts';
import { PrefixTree } from './prefixTree.ts';
import { ENTRY_TYPES, type StateFollower } from './stateIndexes.ts';

const TRUSTLINES_OF = '\0\0\0\x01\0\0\0\0';
const DATA_OF = '\0\0\0\x03\0\0\0\0';

/** Indexes the trustlines and data of each account by key, without decoding entries. */
export class OwnedEntries implements StateFollower {
  readonly types = [ENTRY_TYPES.trustline, ENTRY_TYPES.data];
  readonly #ids = new PrefixTree<LedgerKeyId>();

  add(id: LedgerKeyId): void {
    this.#ids.set(id, id);
  }

  remove(id: LedgerKeyId): void {
    this.#ids.delete(id);
  }

  trustlines(account: AccountIdString): Iterable<LedgerKeyId> {
    return this.#ids.walk(TRUSTLINES_OF + account);
  }

  data(account: AccountIdString): Iterable<LedgerKeyId> {
    return this.#ids.walk(DATA_OF + account);
  }
}
