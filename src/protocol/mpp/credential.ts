import * as z from 'zod/mini';
import type { MppChallenge } from './challenge.ts';
import { decodeJson, encodeJson } from './encodedJson.ts';

const member = z.string();
const optional = z.optional(member);

const schema = z.object({
  challenge: z.object({
    ...{ id: member, realm: member, method: member, intent: member, request: member },
    ...{ expires: optional, digest: optional, opaque: optional, description: optional },
    header: optional,
  }),
  source: optional,
  payload: z.looseObject({ type: z.optional(z.unknown()) }),
});

/** What a buyer answers to a challenge. */
export interface MppCredential {
  /** The challenge, unchanged. */
  readonly challenge: MppChallenge;
  /** DID of the payer. */
  readonly source?: string | undefined;
  /** The payment; its form depends on method and intent. */
  readonly payload: Readonly<Record<string, unknown>>;
}

const PAYMENT = /^payment(?:[ \t]+(.*))?$/is;

/** Returns whether an `Authorization` header carries a payment. Other schemes are the API's own. */
export function isPaymentScheme(authorization: string): boolean {
  return PAYMENT.test(authorization.trim());
}

/** Reads the credential in an `Authorization` header of the `Payment` scheme; `undefined` if it is malformed. */
export function readCredential(authorization: string): MppCredential | undefined {
  const [, text = ''] = PAYMENT.exec(authorization.trim()) ?? [];
  const parsed = z.safeParse(schema, decodeJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Writes the value of `Authorization` for a credential. */
export function writeCredential({ challenge, source, payload }: MppCredential): string {
  return `Payment ${encodeJson({ challenge, source, payload })}`;
}
