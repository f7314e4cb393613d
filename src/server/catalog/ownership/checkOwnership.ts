import type { StellarAddress } from '../../../protocol/index.ts';
import type { JsonObject } from '../declaration/jsonTree.ts';
import {
  type ChallengeFailure,
  type ChallengeQuestion,
  fetchChallenge,
  type OwnershipFetch,
} from './fetchChallenge.ts';
import { recipientsOf } from './recipientsOf.ts';

/** Which of the five requirements failed (spec: ownerVerified). */
export type OwnershipFailure = ChallengeFailure | 'other_recipient';

export type OwnershipVerdict =
  | { readonly verified: true; readonly challenge: JsonObject }
  | { readonly verified: false; readonly failure: OwnershipFailure };

export interface OwnershipQuestion extends ChallengeQuestion {
  readonly payTo: StellarAddress;
}

/**
 * Checks that the server at a URL requests payment to this recipient (spec: ownerVerified). Five
 * requirements, in this order: (1) the URL is https and public, checked before a socket opens; (2) a
 * plain GET returns 402; (3) with a challenge in the header, of at most 64 KiB; (4) which names the
 * recipient; (5) within three seconds and without a redirect, both of which abort the fetch.
 */
export async function checkOwnership(
  question: OwnershipQuestion,
  fetch: OwnershipFetch = {},
): Promise<OwnershipVerdict> {
  const fetched = await fetchChallenge(question, fetch);
  if (!fetched.ok) return { verified: false, failure: fetched.failure };
  return recipientsOf(fetched.challenge).has(question.payTo)
    ? { verified: true, challenge: fetched.challenge }
    : { verified: false, failure: 'other_recipient' };
}
