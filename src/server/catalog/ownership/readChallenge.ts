import {
  canonicalPayTo,
  decodeHeaderMessage,
  type StellarAddress,
} from '../../../protocol/index.ts';
import { isJsonObject } from '../declaration/jsonTree.ts';

/** Most options of a challenge that are looked at. */
const MAX_OPTIONS = 100;

/**
 * Whom a `PAYMENT-REQUIRED` header asks to pay: `accepts[].payTo`, each in its one form. `undefined`
 * when the header is no challenge.
 */
export function readChallenge(header: string): ReadonlySet<StellarAddress> | undefined {
  const challenge = decodeHeaderMessage(header);
  if (!isJsonObject(challenge)) return undefined;
  const accepts = challenge['accepts'];
  if (!Array.isArray(accepts)) return undefined;
  const recipients = new Set<StellarAddress>();
  for (const option of accepts.slice(0, MAX_OPTIONS)) {
    const payTo = isJsonObject(option) ? option['payTo'] : undefined;
    const canonical = typeof payTo === 'string' ? canonicalPayTo(payTo) : undefined;
    if (canonical !== undefined) recipients.add(canonical);
  }
  return recipients;
}
