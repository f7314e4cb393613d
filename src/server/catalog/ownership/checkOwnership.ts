import { PAYMENT_REQUIRED_HEADER, type StellarAddress } from '../../../protocol/index.ts';
import { type FetchHeadersOptions, fetchHeaders } from '../../network/publicFetch/index.ts';
import { readChallenge } from './readChallenge.ts';

/** Longest `PAYMENT-REQUIRED` header (spec: Limits). */
export const MAX_CHALLENGE_BYTES = 64 * 1024;
/** For name, connection and headers together (spec: Limits/Ownership fetch). */
export const OWNERSHIP_FETCH_MS = 3_000;
/** Room for what stands beside the challenge. */
const OTHER_HEADERS_BYTES = 16 * 1024;

/** Which of the five requirements failed (spec: ownerVerified). */
export type OwnershipFailure =
  | 'url_not_permitted'
  | 'no_answer'
  | 'redirected'
  | 'not_402'
  | 'no_challenge'
  | 'challenge_too_large'
  | 'other_recipient';

export type OwnershipVerdict =
  | { readonly verified: true }
  | { readonly verified: false; readonly failure: OwnershipFailure };

/** How the check reaches a seller. Tests bring a resolver, a way to dial and a trust anchor. */
export type OwnershipFetch = Pick<FetchHeadersOptions, 'resolve' | 'dial' | 'trustAnchors'>;

export interface OwnershipQuestion {
  readonly url: string;
  readonly payTo: StellarAddress;
  readonly reach: 'public' | 'loopback';
  readonly signal: AbortSignal;
}

function fail(failure: OwnershipFailure): OwnershipVerdict {
  return { verified: false, failure };
}

/**
 * Checks that whoever answers at a URL asks to pay this recipient (spec: ownerVerified). Five
 * requirements in their order: (1) the URL is https and public, before a socket opens; (2) a plain GET
 * answers 402; (3) with a challenge in the header, of at most 64 KiB; (4) which names the recipient;
 * (5) within three seconds and without a redirect, both of which end the fetch on its way.
 */
export async function checkOwnership(
  { url, payTo, reach, signal }: OwnershipQuestion,
  fetch: OwnershipFetch = {},
): Promise<OwnershipVerdict> {
  const fetched = await fetchHeaders(url, {
    ...fetch,
    reach,
    signal,
    timeoutMs: OWNERSHIP_FETCH_MS,
    maxHeaderBytes: MAX_CHALLENGE_BYTES + OTHER_HEADERS_BYTES,
  });
  if (fetched.kind === 'refused') return fail('url_not_permitted');
  if (fetched.kind === 'failed') return fail('no_answer');
  const { status, header } = fetched.answer;
  if (status >= 300 && status < 400) return fail('redirected');
  if (status !== 402) return fail('not_402');
  const challenge = header(PAYMENT_REQUIRED_HEADER);
  if (challenge === undefined) return fail('no_challenge');
  if (Buffer.byteLength(challenge, 'latin1') > MAX_CHALLENGE_BYTES)
    return fail('challenge_too_large');
  const recipients = readChallenge(challenge);
  if (recipients === undefined) return fail('no_challenge');
  return recipients.has(payTo) ? { verified: true } : fail('other_recipient');
}
