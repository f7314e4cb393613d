import * as z from 'zod/mini';
import { decodeJson, encodeJson } from './encodedJson.ts';

const schema = z.object({
  status: z.string(),
  method: z.string(),
  timestamp: z.optional(z.string()),
  reference: z.string(),
});

/** What a `Payment-Receipt` says about a payment. */
export interface MppReceipt {
  readonly status: string;
  readonly method: string;
  /** When it settled, RFC 3339. */
  readonly timestamp?: string | undefined;
  /** On Stellar, the hash of the transaction. */
  readonly reference: string;
}

/** Writes the value of `Payment-Receipt`. */
export function writeReceipt(receipt: MppReceipt): string {
  return encodeJson(receipt);
}

/** Reads such a value; `undefined` if it is malformed. */
export function readReceipt(value: string): MppReceipt | undefined {
  const parsed = z.safeParse(schema, decodeJson(value));
  return parsed.success ? parsed.data : undefined;
}
