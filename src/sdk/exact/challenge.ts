import * as z from 'zod/mini';
import {
  decodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  X402_VERSION,
} from '../../protocol/index.ts';
import { InvalidRequirementsError } from './errors.ts';
import type { HttpResponse } from './httpTransport.ts';

/** Terms as they stand on the wire. They are echoed as they came, so nothing of them is changed. */
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
  /** Offers that have the shape of one. Offers of other networks may have another. */
  readonly options: readonly OfferedOption[];
  /** How many offers do not have the shape. */
  readonly malformed: number;
  /** Echoed whole: without the echo nothing is cataloged (spec: paymentPayload/extensions). */
  readonly resource: unknown;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** What the seller says is wrong, after a payment was refused. */
  readonly error: string | undefined;
}

/** More than this is no list of terms (spec: Limits/PAYMENT-REQUIRED header). */
const MAX_HEADER = 64 * 1024;

/**
 * Reads the terms that come with a 402, from the `PAYMENT-REQUIRED` header.
 * @throws InvalidRequirementsError when there are none, or they cannot be read
 */
export function readChallenge(response: HttpResponse): Challenge {
  const header = response.headers.get(PAYMENT_REQUIRED_HEADER);
  if (header === null) {
    throw new InvalidRequirementsError(
      'The answer 402 carries no PAYMENT-REQUIRED header, so there are no terms to pay.',
    );
  }
  if (header.length > MAX_HEADER) {
    throw new InvalidRequirementsError('The PAYMENT-REQUIRED header is longer than 64 KiB.');
  }
  const parsed = z.safeParse(challengeSchema, decodeHeaderMessage(header));
  if (!parsed.success) {
    throw new InvalidRequirementsError('The PAYMENT-REQUIRED header is not a message of x402 v2.');
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
