import type { xdr } from '@stellar/stellar-sdk';
import type { EntryChange, LedgerKeyId, LedgerState } from '../../state/index.ts';

/** Types of ledger entries by the number that their key begins with. */
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

/** Something that is derived from entries of some types, one by one. */
export interface StateFollower {
  readonly types: readonly EntryTypeNumber[];
  /** @param entry decodes the entry where the key alone is not enough */
  add(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void;
  remove(id: LedgerKeyId, entry: () => xdr.LedgerEntry): void;
}

/**
 * What Horizon knows of the state beyond what transactions need. Each part is made when it is first
 * asked for, in one walk over the state, and follows the state from then on: a network that nobody
 * asks pays nothing.
 */
export class StateIndexes {
  readonly #currentState: () => LedgerState;
  #state: LedgerState | undefined;
  #followers = new Map<new () => StateFollower, StateFollower>();

  /** @param state the state of the network now: another one where it was put back to a former one */
  constructor(state: () => LedgerState) {
    this.#currentState = state;
  }

  /** The part of this kind, up to date. */
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
      // Another state has taken its place since.
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
      if (entry === undefined) throw new Error('An entry left the state while it was read.');
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

/** A key begins with the number of its type, four bytes long. */
function covers({ types }: StateFollower, id: LedgerKeyId): boolean {
  const type = id.charCodeAt(3);
  return types.some((one) => one === type);
}
