import {
  PAYMENT_PROTOCOLS,
  type PaymentProtocol,
  type StellarAddress,
} from '../../../protocol/index.ts';
import type { JsonObject } from '../declaration/jsonTree.ts';
import { isPayableAt, readChargeTerms } from './chargeTerms.ts';
import {
  type ChallengeFailure,
  type ChallengeQuestion,
  type FetchedChallenges,
  fetchChallenge,
  type OwnershipFetch,
} from './fetchChallenge.ts';
import { recipientsOf } from './recipientsOf.ts';

/** Which of the five requirements failed (spec: ownerVerified). */
export type OwnershipFailure = ChallengeFailure | 'other_recipient';

export type OwnershipVerdict =
  | {
      readonly verified: true;
      /** The terms of x402; undefined if the URL asked by MPP alone. */
      readonly challenge: JsonObject | undefined;
      /** All recipients that the URL names. */
      readonly recipients: ReadonlySet<StellarAddress>;
      /** The protocols in which it asked for payment to this recipient. */
      readonly protocols: readonly PaymentProtocol[];
    }
  | { readonly verified: false; readonly failure: OwnershipFailure };

export interface OwnershipQuestion extends ChallengeQuestion {
  readonly payTo: StellarAddress;
  /** Milliseconds since the epoch: a challenge of MPP that has expired names nobody. */
  readonly now: number;
}

/** The recipients of the challenges of MPP that could be paid and settled here. */
function chargedTo({ mpp }: FetchedChallenges, now: number): ReadonlySet<StellarAddress> {
  const payable = mpp.filter((challenge) => isPayableAt(challenge, now)).map(readChargeTerms);
  return new Set(payable.flatMap((terms) => (terms.ok ? terms.payTo : [])));
}

/**
 * Checks that the server at a URL requests payment to this recipient (spec: ownerVerified). Five
 * requirements, in this order: (1) the URL is https and public, checked before a socket opens; (2) a
 * plain GET returns 402; (3) with a challenge in the header, of at most 64 KiB; (4) which names the
 * recipient; (5) within three seconds and without a redirect, both of which abort the fetch. Terms of x402 and a
 * charge of MPP are such challenges, and each that names the recipient is a protocol that was seen (decision 0154).
 */
export async function checkOwnership(
  question: OwnershipQuestion,
  fetch: OwnershipFetch = {},
): Promise<OwnershipVerdict> {
  const fetched = await fetchChallenge(question, fetch);
  if (!fetched.ok) return { verified: false, failure: fetched.failure };
  const { x402 } = fetched;
  const named = {
    x402: x402.ok ? recipientsOf(x402.challenge) : new Set<StellarAddress>(),
    mpp: chargedTo(fetched, question.now),
  };
  if (!x402.ok && named.mpp.size === 0) return { verified: false, failure: x402.failure };
  const protocols = PAYMENT_PROTOCOLS.filter((protocol) => named[protocol].has(question.payTo));
  return protocols.length === 0
    ? { verified: false, failure: 'other_recipient' }
    : {
        verified: true,
        challenge: x402.ok ? x402.challenge : undefined,
        recipients: new Set([...named.x402, ...named.mpp]),
        protocols,
      };
}
