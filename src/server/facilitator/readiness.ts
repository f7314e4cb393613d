import type { Readiness } from '../../protocol/wire/index.ts';
import type { Membership, Sponsor } from '../settlement/index.ts';
import type { Database } from '../store/index.ts';

/** What determines whether a good payment would settle. */
export interface ReadinessParts {
  readonly database: Database;
  readonly membership: Membership;
  readonly sponsor: Sponsor;
  readonly floor: bigint;
  /** The highest fee of one settlement, in stroops. */
  readonly worstFee: bigint;
  readonly running: boolean;
  /** What the watch over the ledger has seen. */
  readonly ledger: Readiness['reasons'];
}

/** A database that did not answer a heartbeat for this long is unavailable, even while the lease lasts. */
const SILENT_MS = 8_000;

/**
 * Whether a good payment would settle now. Reads only memory, because it must answer even if the store and the ledger do not;
 * heartbeats and the watch over the ledger keep that memory no older than ten seconds.
 */
export function readiness({
  database,
  membership,
  sponsor,
  floor,
  worstFee,
  running,
  ledger,
}: ReadinessParts): Readiness {
  const reasons: Readiness['reasons'] = [];
  if (!running) reasons.push({ code: 'stopping', message: 'The service is stopping.' });
  const frozen = membership.outdated ?? database.frozen;
  if (frozen !== undefined) {
    reasons.push({ code: 'store_unavailable', message: `${frozen.code}: ${frozen.message}` });
  } else if (!membership.holdsLease) {
    reasons.push({
      code: 'lease_lost',
      message:
        'This instance could not renew its lease in the database, so others may adopt its work.',
    });
  } else if (membership.silentForMs > SILENT_MS) {
    const seconds = Math.round(membership.silentForMs / 1_000);
    reasons.push({
      code: 'store_unavailable',
      message: `The database has not answered for ${seconds} s.`,
    });
  }
  reasons.push(...ledger);
  const isKnownMissing = ledger.some(({ code }) => code === 'sponsor_missing');
  if (!isKnownMissing && !sponsor.canReserve(worstFee)) {
    reasons.push({
      code: 'sponsor_below_floor',
      message:
        `The sponsor ${sponsor.signer.address} has ${sponsor.balance} stroops, of which ${sponsor.reserved} are reserved: ` +
        `another fee of up to ${worstFee} would leave less than its minimum of ${floor}.`,
    });
  }
  return { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons };
}
