import { canonicalPayTo, type StellarAddress } from '../../../protocol/index.ts';
import { isJsonObject, type JsonObject } from '../declaration/jsonTree.ts';

/** Maximum number of options to read from a challenge. */
const MAX_OPTIONS = 100;

/** Returns a challenge's recipients: `accepts[].payTo`, each in its canonical form. */
export function recipientsOf(challenge: JsonObject): ReadonlySet<StellarAddress> {
  const accepts = challenge['accepts'];
  const recipients = new Set<StellarAddress>();
  for (const option of Array.isArray(accepts) ? accepts.slice(0, MAX_OPTIONS) : []) {
    const payTo = isJsonObject(option) ? option['payTo'] : undefined;
    const canonical = typeof payTo === 'string' ? canonicalPayTo(payTo) : undefined;
    if (canonical !== undefined) recipients.add(canonical);
  }
  return recipients;
}
