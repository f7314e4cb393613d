import { decodeHeaderMessage, PAYMENT_REQUIRED_HEADER } from '../../../protocol/index.ts';
import { isPaymentScheme, type MppChallenge, readChallenges } from '../../../protocol/mpp/index.ts';
import {
  type FetchHeadersOptions,
  fetchHeaders,
  type HeadersOnly,
} from '../../network/publicFetch/index.ts';
import { isJsonObject, type JsonObject } from '../declaration/jsonTree.ts';
import type { FetchSlots } from './fetchSlots.ts';

/** Longest `PAYMENT-REQUIRED` header (spec: Limits). */
const MAX_CHALLENGE_BYTES = 64 * 1024;
/** Timeout for name lookup, connection and headers together (spec: Limits/Ownership fetch). */
const OWNERSHIP_FETCH_MS = 3_000;
/** Maximum size of the other headers. */
const OTHER_HEADERS_BYTES = 16 * 1024;

/** How to connect to a seller. Tests supply a resolver, a dial function and a trust anchor. */
export type OwnershipFetch = Pick<FetchHeadersOptions, 'resolve' | 'dial' | 'trustAnchors'> & {
  /** Limits how many requests run at once; unlimited without it. */
  readonly slots?: FetchSlots;
  /** Default: 3 seconds (spec: Limits/Ownership fetch). */
  readonly timeoutMs?: number;
};

/** Why a URL did not return a challenge, in the order of the checks. */
export type ChallengeFailure =
  | 'too_busy'
  | 'url_not_permitted'
  | 'no_answer'
  | 'redirected'
  | 'not_402'
  | 'no_challenge'
  | 'unreadable_challenge'
  | 'challenge_too_large';

/** Why something was not returned. */
export interface NotFetched {
  readonly ok: false;
  readonly failure: ChallengeFailure;
  /** What was received instead, if there was a response. */
  readonly received?: string;
  readonly status?: number;
}

/** The terms of x402 in a 402. */
type FetchedTerms = { readonly ok: true; readonly challenge: JsonObject } | NotFetched;

/** Whether `WWW-Authenticate` has a challenge of the `Payment` scheme, readable or not. */
export const hasCharge = (authenticate: string | undefined): authenticate is string =>
  authenticate?.split(',').some((part) => isPaymentScheme(part)) ?? false;

/** The headers of a 402 with terms of x402, with a challenge of MPP, or with both. */
export interface FetchedChallenges {
  readonly ok: true;
  readonly x402: FetchedTerms;
  /** The readable challenges of the `Payment` scheme, in the server's order. Their terms are not judged yet. */
  readonly mpp: readonly MppChallenge[];
  /** All of `WWW-Authenticate`. */
  readonly authenticate: string | undefined;
}

export type FetchedChallenge = FetchedChallenges | NotFetched;

export interface ChallengeQuestion {
  readonly url: string;
  readonly reach: 'public' | 'loopback';
  readonly signal: AbortSignal;
  /** HTTP method, without a body. Default: GET, which the ownership check requires. */
  readonly method?: string;
  /** Whether the request may be refused while many others wait; otherwise it goes first. */
  readonly refusable?: boolean;
}

function fail(failure: ChallengeFailure, received?: string, status?: number): NotFetched {
  return {
    ok: false,
    failure,
    ...(received === undefined ? {} : { received }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns the beginning of a header, without characters that are not printed. */
const startOf = (value: string): string => {
  const shown = value.slice(0, 40).replace(/[^\x20-\x7e]/g, '?');
  return value.length > 40 ? `${shown}…` : shown;
};

/** Reads the terms of x402 from the headers of a 402. */
function readTerms(header: HeadersOnly['header'], status: number): FetchedTerms {
  const value = header(PAYMENT_REQUIRED_HEADER);
  if (value === undefined)
    return fail('no_challenge', 'a 402 without exactly one PAYMENT-REQUIRED header', status);
  if (Buffer.byteLength(value, 'latin1') > MAX_CHALLENGE_BYTES)
    return fail('challenge_too_large', `a header of ${value.length} bytes`, status);
  const challenge = decodeHeaderMessage(value);
  if (!isJsonObject(challenge))
    return fail(
      'unreadable_challenge',
      `a header of ${value.length} bytes: ${startOf(value)}`,
      status,
    );
  if (!Array.isArray(challenge['accepts']))
    return fail('unreadable_challenge', 'a challenge without a list accepts', status);
  return { ok: true, challenge };
}

/**
 * Requests a URL's challenges like a buyer that does not pay: one request without a body, headers only, no redirect,
 * within three seconds (spec: ownerVerified, 1 to 3 and 5). A challenge is one of x402 or of MPP (decision 0154).
 */
export async function fetchChallenge(
  { url, reach, signal, method = 'GET', refusable = false }: ChallengeQuestion,
  { slots, timeoutMs = OWNERSHIP_FETCH_MS, ...fetch }: OwnershipFetch = {},
): Promise<FetchedChallenge> {
  const request = () =>
    fetchHeaders(url, {
      ...fetch,
      reach,
      signal,
      method,
      timeoutMs,
      maxHeaderBytes: MAX_CHALLENGE_BYTES + OTHER_HEADERS_BYTES,
    });
  const run = refusable ? slots?.runOrRefuse(request) : slots?.run(request);
  const fetched = await (run ?? request());
  if (fetched === undefined) return fail('too_busy');
  if (fetched.kind === 'refused') return fail('url_not_permitted');
  if (fetched.kind === 'failed') return fail('no_answer');
  const { status, header, list } = fetched.answer;
  const received = `${method} was answered with ${status}`;
  if (status >= 300 && status < 400) return fail('redirected', received, status);
  if (status !== 402) return fail('not_402', received, status);
  const x402 = readTerms(header, status);
  const authenticate = list('www-authenticate');
  if (!x402.ok && !hasCharge(authenticate)) return x402;
  return { ok: true, x402, mpp: readChallenges(authenticate ?? ''), authenticate };
}
