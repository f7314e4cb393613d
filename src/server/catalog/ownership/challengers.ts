import type { Database } from '../../store/index.ts';
import type { CatalogBounds } from '../bounds.ts';
import type { JsonObject } from '../declaration/jsonTree.ts';
import { displace } from '../records/displace.ts';
import { type Countable, recordProved } from '../records/recordSettlement.ts';
import { transfer } from '../records/transfer.ts';
import { OWNERSHIP_COOLDOWN_MS } from './cooldown.ts';
import { agreedBy } from './recipientChange.ts';
import { recipientsOf } from './recipientsOf.ts';

/** A settlement that found its key, or its place, in another recipient's hands. */
export interface Challenge {
  readonly settled: Countable;
  /** The URL that was paid for: one that can be fetched, whatever the template. */
  readonly url: string;
}

/** Keys that are remembered as asked for; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Says which challenges may be checked now: strangers cannot make a seller's URL be asked often. */
export class ChallengeCooldown {
  readonly #askedAt = new Map<string, number>();

  /** Whether the key may be asked for now; if so, it counts as asked. */
  take(key: string, now: number): boolean {
    const last = this.#askedAt.get(key);
    if (last !== undefined && now - last < OWNERSHIP_COOLDOWN_MS) return false;
    this.#askedAt.delete(key);
    if (this.#askedAt.size >= MAX_REMEMBERED) {
      const [oldest] = this.#askedAt.keys();
      if (oldest !== undefined) this.#askedAt.delete(oldest);
    }
    this.#askedAt.set(key, now);
    return true;
  }
}

/**
 * Gives a challenger what its own URL proved to be its own, with the counts of a former recipient that signed the change,
 * and takes in the settlement that was refused. Squatters lose entries, never what is recorded of settlements.
 *
 * @returns the keys whose entries are gone
 */
export async function acceptChallenge(
  database: Database,
  { settled }: Challenge,
  challenge: JsonObject,
  { bounds, now, local }: { bounds: CatalogBounds; now: number; local: boolean },
): Promise<readonly string[]> {
  const { listing, payTo } = settled;
  const recipients = recipientsOf(challenge);
  const proof = { origin: listing.origin, key: listing.key, payTo, recipients, local };
  // What a former recipient agreed to comes first: otherwise an entry that was never verified is lost with its counts.
  await transfer(database, listing, payTo, agreedBy(challenge, listing.origin, payTo));
  const gone = await displace(database, proof, now);
  const recorded = await recordProved(database, settled, bounds, now);
  return recorded.outcome === 'cataloged' ? [...gone, ...recorded.gone] : gone;
}
