import {
  canonicalPayTo,
  parseAtomicAmount,
  parseContractAddress,
  STELLAR_TESTNET,
  type StellarAddress,
} from '../../../protocol/index.ts';
import {
  CHARGE_INTENT,
  type MppChallenge,
  readChargeRequest,
  STELLAR_METHOD,
} from '../../../protocol/mpp/index.ts';

/** The member of a challenge that keeps it from being paid here, and its value. */
interface ChargeProblem {
  readonly member: string;
  readonly received: unknown;
}

/** What a challenge of MPP asks for, as far as a payment of it could settle here. */
type ChargeTerms =
  | { readonly ok: true; readonly payTo: StellarAddress }
  | ({ readonly ok: false } & ChargeProblem);

/** Judges a challenge of MPP by what this facilitator settles: charges on Stellar whose network fee the seller pays. */
export function readChargeTerms({ method, intent, request }: MppChallenge): ChargeTerms {
  const fail = (member: string, received: unknown): ChargeTerms => ({
    ...{ ok: false, member, received },
  });
  if (method !== STELLAR_METHOD) return fail('method', method);
  if (intent !== CHARGE_INTENT) return fail('intent', intent);
  const charge = readChargeRequest(request);
  if (charge === undefined) return fail('request', request);
  const { amount, currency, recipient, methodDetails } = charge;
  const { network, feePayer, credentialTypes = ['transaction'] } = methodDetails;
  if (network !== STELLAR_TESTNET) return fail('methodDetails.network', network);
  if (parseContractAddress(currency) === undefined) return fail('currency', currency);
  const units = parseAtomicAmount(amount);
  if (units === undefined || units === 0n) return fail('amount', amount);
  const payTo = canonicalPayTo(recipient);
  if (payTo === undefined) return fail('recipient', recipient);
  if (feePayer !== true) return fail('methodDetails.feePayer', feePayer);
  return credentialTypes.includes('transaction')
    ? { ok: true, payTo }
    : fail('methodDetails.credentialTypes', credentialTypes);
}

/** Whether a challenge can still be paid; one without an expiry can. @param now milliseconds since the epoch */
export function isPayableAt({ expires }: MppChallenge, now: number): boolean {
  return expires === undefined || now < Date.parse(expires);
}
