import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalPayTo, decodeStrKey, type StellarAddress } from '../../../protocol/index.ts';
import { isJsonObject, type JsonObject } from '../declaration/jsonTree.ts';

/** The extension of a challenge in which a former recipient agrees to a new one. */
const EXTENSION = 'svc-recipient-change';
/** Maximum number of changes to read from one challenge; each has a signature to verify. */
const MAX_CHANGES = 10;
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;
/** The DER prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** The former and the new recipient at an origin. */
export interface RecipientChange {
  readonly origin: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the text that the former recipient signs, as a message of SEP-53. It contains the origin and both addresses, so
 * that a signature is not valid for anything else.
 */
function changeText({ origin, from, to }: RecipientChange): string {
  return `svc-x402 recipient change\norigin: ${origin}\nfrom: ${from}\nto: ${to}`;
}

/** Whether the key of an account signed a text (SEP-53). Contract accounts do not have such a key. */
function isSignedBy(address: string, text: string, signature: string): boolean {
  const key = decodeStrKey('account', address);
  if (key === undefined || !SIGNATURE.test(signature)) return false;
  const digest = createHash('sha256').update(`Stellar Signed Message:\n${text}`).digest();
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI_ED25519, key]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, digest, publicKey, Buffer.from(signature, 'base64'));
}

function changesIn(challenge: JsonObject): readonly unknown[] {
  const extensions = challenge['extensions'];
  const given = isJsonObject(extensions) ? extensions[EXTENSION] : undefined;
  return Array.isArray(given) ? given.slice(0, MAX_CHANGES) : given === undefined ? [] : [given];
}

/**
 * Reads from an origin's challenge which former recipients agreed with their signatures that `to` is paid there now.
 * Anything that is malformed or signed by another key is ignored.
 */
export function agreedBy(
  challenge: JsonObject,
  origin: string,
  to: StellarAddress,
): ReadonlySet<string> {
  const agreed = new Set<string>();
  for (const change of changesIn(challenge)) {
    if (!isJsonObject(change as JsonObject)) continue;
    const { from, to: named, signature } = change as JsonObject;
    if (typeof from !== 'string' || typeof named !== 'string') continue;
    if (typeof signature !== 'string' || canonicalPayTo(named) !== to) continue;
    if (isSignedBy(from, changeText({ origin, from, to: named }), signature)) agreed.add(from);
  }
  return agreed;
}
