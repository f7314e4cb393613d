import * as z from 'zod/mini';
import {
  decodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  X402_VERSION,
} from '../../protocol/index.ts';
import { InvalidRequirementsError } from './errors.ts';
import type { HttpResponse } from './httpTransport.ts';

/** Terms on the wire. They are echoed unchanged. */
const optionSchema = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.nullish(z.record(z.string(), z.unknown())),
});

const challengeSchema = z.object({
  x402Version: z.literal(X402_VERSION),
  error: z.nullish(z.string()),
  resource: z.optional(z.unknown()),
  accepts: z.array(z.unknown()),
  extensions: z.nullish(z.record(z.string(), z.unknown())),
});

/** One way to pay, as the seller wrote it. */
export type OfferedOption = z.infer<typeof optionSchema>;

export interface Challenge {
  /** Offers with a valid shape. Offers on other networks can have another shape. */
  readonly options: readonly OfferedOption[];
  /** The number of offers with another shape. */
  readonly malformed: number;
  /** Echoed completely: without the echo, nothing is cataloged (spec: paymentPayload/extensions). */
  readonly resource: unknown;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** The seller's error message, after a payment was refused. */
  readonly error: string | undefined;
}

/** A longer header is refused (spec: Limits/PAYMENT-REQUIRED header). */
const MAX_HEADER = 64 * 1024;

/**
 * Reads the terms of a 402 from the `PAYMENT-REQUIRED` header.
 * @throws InvalidRequirementsError if they are missing or malformed
 */
export function readChallenge(response: HttpResponse): Challenge {
  const header = response.headers.get(PAYMENT_REQUIRED_HEADER);
  if (header === null) {
    throw new InvalidRequirementsError(
      'The 402 response has no PAYMENT-REQUIRED header, so there are no terms to pay.',
    );
  }
  if (header.length > MAX_HEADER) {
    throw new InvalidRequirementsError('The PAYMENT-REQUIRED header is longer than 64 KiB.');
  }
  const parsed = z.safeParse(challengeSchema, decodeHeaderMessage(header));
  if (!parsed.success) {
    throw new InvalidRequirementsError('The PAYMENT-REQUIRED header is not an x402 v2 message.');
  }
  const { accepts, resource, extensions, error } = parsed.data;
  const options = accepts.flatMap((offer) => {
    const option = z.safeParse(optionSchema, offer);
    return option.success ? [option.data] : [];
  });
  return {
    options,
    malformed: accepts.length - options.length,
    resource,
    extensions: extensions ?? undefined,
    error: error ?? undefined,
  };
}
