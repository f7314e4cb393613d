import type { Readiness } from '../../protocol/wire/index.ts';
import type { Membership, Sponsor } from '../settlement/index.ts';
import type { Database } from '../store/index.ts';

/** What determines whether payments are accepted. */
export interface ReadinessParts {
  readonly database: Database;
  readonly membership: Membership;
  readonly sponsor: Sponsor;
  readonly floor: bigint;
  readonly running: boolean;
}

/** Whether payments are accepted now. Reads only memory, because it must answer even if the store and the ledger do not. */
export function readiness({
  database,
  membership,
  sponsor,
  floor,
  running,
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
  }
  const { balance } = sponsor;
  if (balance !== undefined && balance < floor) {
    reasons.push({
      code: 'sponsor_below_floor',
      message: `The sponsor ${sponsor.signer.address} has ${balance} stroops, which is below its minimum of ${floor}.`,
    });
  }
  return { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons };
}
