import { PAYMENT_REQUIRED_HEADER } from '../../protocol/index.ts';
import {
  CHARGE_INTENT,
  type MppChallenge,
  readChallenges,
  readChargeRequest,
  STELLAR_METHOD,
} from '../../protocol/mpp/index.ts';
import { type Challenge, type OfferedOption, readChallenge } from './challenge.ts';
import { NoUsablePaymentOptionError } from './errors.ts';
import type { HttpResponse } from './httpTransport.ts';

/** How a seller is paid: x402 version 2, or MPP (`Payment` of HTTP authentication). On Stellar both carry the same signed transfer. */
export type PaymentProtocol = 'x402' | 'mpp';

/** Without a choice of the caller: what the reference clients of x402 and our receipts know best comes first. */
export const PROTOCOLS: readonly PaymentProtocol[] = ['x402', 'mpp'];

/** The terms of a 402, of all protocols together. */
export interface PaymentTerms extends Challenge {
  /** The challenge of each option that MPP offers. */
  readonly mpp: ReadonlyMap<OfferedOption, MppChallenge>;
}

/** What a buyer can use. */
export interface TermsReader {
  /** In the order of preference. */
  readonly protocols: readonly PaymentProtocol[];
  /** CAIP-2 id of the network to pay on. */
  readonly network: string;
  /** Whether the request has an `Authorization` of its own, which a payment by MPP would replace. */
  readonly hasAuthorization: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const AUTHORIZATION = 'authorization';
/** Where a credential may be sent. A seller that names another header would choose what the request says. */
const HEADERS: ReadonlySet<string> = new Set([AUTHORIZATION, 'payment-authorization']);

/** Returns the request header for a challenge's credential, in lower case. */
export function headerOf({ header = AUTHORIZATION }: MppChallenge): string {
  return header.toLowerCase();
}

/** Seconds that a challenge without an expiry is paid within. */
const DEFAULT_TIMEOUT_SECONDS = 120;

/**
 * Reads the terms of a 402: those of x402 from `PAYMENT-REQUIRED`, those of MPP from `WWW-Authenticate`. All options that are
 * offered come in one list, those of the preferred protocol first, so that the same limits apply to all.
 * @throws InvalidRequirementsError if there are no terms, or those of x402 are malformed; NoUsablePaymentOptionError if the only
 *   terms are those of MPP and the request needs its own `Authorization`
 */
export function readTerms(response: HttpResponse, reader: TermsReader): PaymentTerms {
  const { protocols, hasAuthorization } = reader;
  const header = response.headers.get('WWW-Authenticate');
  const challenges = protocols.includes('mpp') && header !== null ? readChallenges(header) : [];
  const offered = challenges.filter((challenge) => HEADERS.has(headerOf(challenge)));
  const isX402 = response.headers.get(PAYMENT_REQUIRED_HEADER) !== null;
  const usesX402 = protocols.includes('x402') && isX402;
  const usable = offered.filter(
    (challenge) => !hasAuthorization || headerOf(challenge) !== AUTHORIZATION,
  );
  if (!usesX402 && offered.length > 0 && usable.length === 0) {
    throw new NoUsablePaymentOptionError(
      'no_options',
      'The seller is paid in the Authorization header, and the request has one of its own.',
    );
  }
  // Without terms of either protocol, the error names the header that x402 would have.
  const x402: Challenge =
    offered.length > 0 && !usesX402
      ? { options: [], malformed: 0, resource: undefined, extensions: undefined, error: undefined }
      : readChallenge(response);
  const mpp = new Map<OfferedOption, MppChallenge>();
  let malformed = 0;
  for (const challenge of usable) {
    const option = optionOf(challenge, reader);
    if (option === undefined) malformed++;
    else mpp.set(option, challenge);
  }
  const byProtocol = { x402: x402.options, mpp: [...mpp.keys()] };
  return {
    ...x402,
    options: protocols.flatMap((protocol) => byProtocol[protocol]),
    malformed: x402.malformed + malformed,
    mpp,
  };
}

/** Returns a challenge as an option of the form that x402 offers; `undefined` if its request is malformed. */
function optionOf(
  { method, intent, request, expires }: MppChallenge,
  { network, now }: TermsReader,
): OfferedOption | undefined {
  const other = { asset: '', amount: '0', payTo: '', maxTimeoutSeconds: 0, extra: {} };
  // Named in the error, if nothing else can be paid.
  if (method !== STELLAR_METHOD) return { ...other, scheme: intent, network: method };
  if (intent !== CHARGE_INTENT) return { ...other, scheme: intent, network };
  const charge = readChargeRequest(request);
  if (charge === undefined) return undefined;
  const { amount, currency: asset, recipient: payTo, methodDetails } = charge;
  const { feePayer = false, credentialTypes = ['transaction'] } = methodDetails;
  const seconds =
    expires === undefined
      ? DEFAULT_TIMEOUT_SECONDS
      : Math.floor((Date.parse(expires) - now) / 1_000);
  return {
    ...{ scheme: 'exact', network: methodDetails.network, asset, amount, payTo },
    maxTimeoutSeconds: seconds,
    extra: { areFeesSponsored: feePayer && credentialTypes.includes('transaction') },
  };
}
