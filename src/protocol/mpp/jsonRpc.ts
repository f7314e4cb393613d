import * as z from 'zod/mini';
import { canonicalJson } from './canonicalJson.ts';
import { isQuotable, type MppChallenge } from './challenge.ts';
import type { MppCredential } from './credential.ts';
import { decodeJson, encodeJson, MAX_MESSAGE } from './encodedJson.ts';

// MPP over JSON-RPC and MCP (draft-payment-transport-mcp-00): the messages of HTTP as JSON, with `request` as an object.

/** Member of `_meta` with the payment for a call. */
export const CREDENTIAL_META = 'org.paymentauth/credential';
/** Member of a result's `_meta` with the receipt. */
export const RECEIPT_META = 'org.paymentauth/receipt';
/** Member of the `_meta` of a result that asks for a payment: what an error has in `data`. mppx 0.11 reads both. */
export const REQUIRED_META = 'org.paymentauth/payment-required';

/** Codes of JSON-RPC errors; with both come challenges. */
export const PAYMENT_REQUIRED_CODE = -32_042;
export const VERIFICATION_FAILED_CODE = -32_043;

const text = z.string();
const isJson = z.record(z.string(), z.unknown());
const encoded = z.union([z.string(), isJson]);
const challengeSchema = z.looseObject({
  ...{ id: text, realm: text, method: text, intent: text, request: encoded },
  ...{ expires: z.optional(text), digest: z.optional(text), opaque: z.optional(encoded) },
});
const requiredSchema = z.looseObject({ challenges: z.array(z.unknown()) });
const declaredSchema = z.looseObject({
  experimental: z.looseObject({
    payment: z.looseObject({
      methods: z.record(z.string(), z.looseObject({ intents: z.optional(z.array(z.string())) })),
    }),
  }),
});

/** Returns a challenge as JSON. */
export function challengeToJson(challenge: MppChallenge): Readonly<Record<string, unknown>> {
  const { request, header, ...rest } = challenge;
  return { ...rest, request: decodeJson(request) };
}

/** A challenge of a seller over JSON-RPC. */
export interface ReceivedChallenge {
  readonly challenge: MppChallenge;
  /** As it came: the buyer returns it unchanged. */
  readonly sent: unknown;
}

/**
 * Reads what a seller sent to ask for a payment, in an error's `data` or in a result's `_meta`.
 * @returns `undefined` if it asks for none; challenges that are malformed are left out
 */
export function readRequired(data: unknown): readonly ReceivedChallenge[] | undefined {
  const required = z.safeParse(requiredSchema, data);
  if (!required.success) return undefined;
  return required.data.challenges.flatMap((sent) => {
    const parsed = z.safeParse(challengeSchema, sent);
    if (!parsed.success) return [];
    const { id, realm, method, intent, request, expires, digest, opaque } = parsed.data;
    const challenge = {
      ...{ id, realm, method, intent, request: encodedText(request) },
      ...(expires === undefined ? {} : { expires }),
      ...(digest === undefined ? {} : { digest }),
      ...(opaque === undefined ? {} : { opaque: encodedText(opaque) }),
    };
    return Object.values(challenge).every(isQuotable) ? [{ challenge, sent }] : [];
  });
}

function encodedText(value: unknown): string {
  return typeof value === 'string' ? value : encodeJson(value);
}

/** Returns a credential as JSON. @param sent the challenge as the seller wrote it */
export function credentialToJson({ source, payload }: MppCredential, sent: unknown): object {
  return { challenge: sent, ...(source === undefined ? {} : { source }), payload };
}

/**
 * Returns a credential that came as JSON in the form of HTTP, which binds the same bytes. Whatever has another form stays one that
 * cannot be read.
 */
export function credentialHeader(value: unknown): string {
  const read = z.safeParse(isJson, value);
  const challenge = z.safeParse(isJson, read.data?.['challenge']);
  const texts: Record<string, unknown> = {};
  for (const name of ['request', 'opaque']) {
    const member = challenge.data?.[name];
    if (typeof member === 'object' && member !== null) texts[name] = encodeJson(member);
  }
  const credential = challenge.success
    ? { ...read.data, challenge: { ...challenge.data, ...texts } }
    : value;
  if (canonicalJson(credential).length > MAX_MESSAGE) return 'Payment';
  return `Payment ${encodeJson(credential)}`;
}

/**
 * Returns the payment methods that a client of MCP declared in its capabilities, in the form of `Accept-Payment`; `undefined` if it
 * declared none.
 */
export function declaredMethods(capabilities: unknown): string | undefined {
  const declared = z.safeParse(declaredSchema, capabilities);
  if (!declared.success) return undefined;
  return Object.entries(declared.data.experimental.payment.methods)
    .flatMap(([method, { intents = [] }]) => intents.map((intent) => `${method}/${intent}`))
    .join(', ');
}
