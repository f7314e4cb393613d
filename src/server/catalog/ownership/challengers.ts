import type { Database } from '../../store/index.ts';
import type { CatalogBounds } from '../bounds.ts';
import { displace } from '../records/displace.ts';
import { type Countable, recordProved } from '../records/recordSettlement.ts';
import { transfer } from '../records/transfer.ts';
import type { OwnershipVerdict } from './checkOwnership.ts';
import { OWNERSHIP_COOLDOWN_MS } from './cooldown.ts';
import { agreedBy } from './recipientChange.ts';

/** A settlement whose key or route belongs to another recipient. */
export interface Challenge {
  readonly settled: Countable;
  /** The URL that was paid for, which can be fetched regardless of the template. */
  readonly url: string;
}

/** Maximum number of keys to remember as checked; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Decides which challenges may be checked now, so that nobody can cause frequent requests to a seller's URL. */
export class ChallengeCooldown {
  readonly #askedAt = new Map<string, number>();

  /** Whether the key may be checked now; if so, it counts as checked. */
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
 * Gives a challenger the entries that its URL proved to be its own, with the counts of a former recipient that signed the
 * change, and catalogs the settlement that was refused. Squatters lose entries; records of settlements are kept.
 *
 * @returns the keys whose entries were removed
 */
export async function acceptChallenge(
  database: Database,
  { settled }: Challenge,
  { challenge, recipients }: Extract<OwnershipVerdict, { verified: true }>,
  { bounds, now, local }: { bounds: CatalogBounds; now: number; local: boolean },
): Promise<readonly string[]> {
  const { listing, payTo } = settled;
  const proof = { origin: listing.origin, key: listing.key, payTo, recipients, local };
  // A former recipient's agreement comes first: otherwise an entry that was never verified would be lost with its counts.
  await transfer(database, listing, payTo, agreedBy(challenge ?? {}, listing.origin, payTo));
  const gone = await displace(database, proof, now);
  const recorded = await recordProved(database, settled, bounds, now);
  return recorded.outcome === 'cataloged' ? [...gone, ...recorded.gone] : gone;
}
