/** What was spent of a budget, in any unit. */
export interface Spent {
  readonly budget: bigint;
  /** By all. */
  readonly spent: bigint;
  readonly ofClient: bigint;
  /** By one recipient, for calls of this client; 0 where there are none. */
  readonly ofRecipient: bigint;
}

/** A client that has spent at most this part of a budget is served from the half that is kept for such clients. */
const SMALL_PARTS = 100n;

/**
 * Divides a budget among clients, so that none can close it for another. Half of it is for all: a client may have spent half as
 * much of it as is left, thus at most a sixth of the budget, and a recipient as much as is left of its client's share. The other
 * half is kept for clients that have spent at most a hundredth of the budget, so that a newcomer always has that share: to take
 * it from them needs more than fifty addresses, however many payers, recipients and wallets each one invents.
 * @param more what the client wants to spend now, at most
 */
export function isOverShare(
  more: bigint,
  { budget, spent, ofClient, ofRecipient }: Spent,
): boolean {
  if (spent + more > budget) return true;
  const small = budget / SMALL_PARTS;
  if (ofClient + more <= (small > more ? small : more)) return false;
  const share = (budget / 2n - spent) / 2n;
  return ofClient + more > share || ofRecipient > share - ofClient;
}
