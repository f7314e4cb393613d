const BASE = 'https://paymentauth.org/problems/';

/** The problems that MPP and its charges on Stellar name, with their titles. */
const TITLES = {
  'payment-required': 'Payment Required',
  'payment-insufficient': 'Payment Insufficient',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Verification Failed',
  'malformed-credential': 'Malformed Credential',
  'invalid-challenge': 'Invalid Challenge',
  'method-unsupported': 'Method Unsupported',
  'settlement-failed': 'Settlement Failed',
} as const;

export type ProblemName = keyof typeof TITLES;

/** The members of a problem (RFC 9457, `application/problem+json`). */
export interface MppProblem {
  readonly type: string;
  readonly title: string;
  readonly status: 400 | 402;
  readonly detail: string;
}

/** Returns the members of a problem. @param detail for people; never a text of the buyer's */
export function problemOf(name: ProblemName, detail: string): MppProblem {
  const status = name === 'method-unsupported' ? 400 : 402;
  return { type: `${BASE}${name}`, title: TITLES[name], status, detail };
}

/** Returns the name in the `type` of a problem; `undefined` if MPP does not name it. */
export function problemNamed(type: unknown): ProblemName | undefined {
  if (typeof type !== 'string' || !type.startsWith(BASE)) return undefined;
  const name = type.slice(BASE.length);
  return Object.hasOwn(TITLES, name) ? (name as ProblemName) : undefined;
}
