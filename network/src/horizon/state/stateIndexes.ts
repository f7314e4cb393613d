import type { xdr } from '@stellar/stellar-sdk';
import type { EntryChange, LedgerKeyId, LedgerState } from '../../state/index.ts';

/** Types of ledger entries, by the number with which their keys begin. */
export const ENTRY_TYPES = {
  account: 0,
  trustline: 1,
  offer: 2,
  data: 3,
  claimableBalance: 4,
  liquidityPool: 5,
  contractData: 6,
} as const;

export type EntryTypeNumber = (typeof ENTRY_TYPES)[keyof typeof ENTRY_TYPES];

/** An index that is derived from entries of certain types, one by one. */
export interface StateFollower {
  readonly types: readonly EntryTypeNumber[];
  /** @param entry decodes the entry, if the key alone is not enough */
  add(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void;
  remove(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void;
}

/**
 * The indexes of the state that Horizon needs and transactions do not. Each is built when first requested, by going through the
 * state once, and follows the state from then on. A network without Horizon requests pays nothing.
 */
export class StateIndexes {
  readonly #currentState: () => LedgerState;
  #state: LedgerState | undefined;
  #followers = new Map<new () => StateFollower, StateFollower>();

  /** @param state returns the network's current state, which is another object if the network was set back to an earlier one */
  constructor(state: () => LedgerState) {
    this.#currentState = state;
  }

  /** The index of this kind, up to date. */
  get<T extends StateFollower>(kind: new () => T): T {
    const state = this.#follow();
    const known = this.#followers.get(kind);
    if (known instanceof kind) return known;
    const follower = new kind();
    fill(follower, state);
    this.#followers.set(kind, follower);
    return follower;
  }

  #follow(): LedgerState {
    const state = this.#currentState();
    if (state === this.#state) return state;
    this.#state = state;
    const followers = new Map<new () => StateFollower, StateFollower>();
    this.#followers = followers;
    const stop = state.observe((change) => {
      // Another state has replaced it.
      if (this.#followers === followers) pass(change, followers.values());
      else stop();
    });
    return state;
  }
}

function fill(follower: StateFollower, state: LedgerState): void {
  for (const id of state.ids()) {
    if (!covers(follower, id)) continue;
    follower.add(id, () => {
      const entry = state.glance(id);
      if (entry === undefined)
        throw new Error('An entry was removed from the state while it was being read.');
      return entry;
    });
  }
}

function pass({ id, before, after }: EntryChange, followers: Iterable<StateFollower>): void {
  for (const follower of followers) {
    if (!covers(follower, id)) continue;
    if (before !== undefined) follower.remove(id, () => before);
    if (after !== undefined) follower.add(id, () => after);
  }
}

/** A key begins with its type as a four-byte number. */
function covers({ types }: StateFollower, id: LedgerKeyId): boolean {
  const type = id.charCodeAt(3);
  return types.some((one) => one === type);
}
