import * as z from 'zod/mini';
import { parseStellarAddress, type StellarAddress } from '../../../common/address.ts';
import { decodeJson, encodeJson } from './encodedJson.ts';

/** Name of the payment method, and of the intent of a payment that is made at once. */
export const STELLAR_METHOD = 'stellar';
export const CHARGE_INTENT = 'charge';

const schema = z.object({
  amount: z.string().check(z.regex(/^\d{1,39}$/)),
  currency: z.string(),
  recipient: z.string(),
  methodDetails: z.object({
    network: z.string(),
    feePayer: z.optional(z.boolean()),
    credentialTypes: z.optional(z.array(z.string())),
  }),
});

/** The `request` of a charge on Stellar. */
export type ChargeRequest = z.infer<typeof schema>;

/** Writes the `request` of a charge whose network fee the seller pays, and which is paid with a signed transaction alone. */
export function chargeRequest(terms: {
  readonly amount: bigint;
  readonly asset: string;
  readonly payTo: string;
  readonly network: string;
}): string {
  const { amount, asset: currency, payTo: recipient, network } = terms;
  return encodeJson({
    ...{ amount: amount.toString(), currency, recipient },
    methodDetails: { network, feePayer: true, credentialTypes: ['transaction'] },
  });
}

/** Reads the `request` of a charge on Stellar; `undefined` if it has another form. */
export function readChargeRequest(request: string): ChargeRequest | undefined {
  const parsed = z.safeParse(schema, decodeJson(request));
  return parsed.success ? parsed.data : undefined;
}

/** Returns the DID that names a payer in a credential. @param network CAIP-2, such as `stellar:testnet` */
export function sourceOf(network: string, payer: string): string {
  return `did:pkh:${network}:${payer}`;
}

/** Returns the payer that a credential names on a network; `undefined` if it names none there. */
export function readSource(source: string, network: string): StellarAddress | undefined {
  const prefix = sourceOf(network, '');
  return source.startsWith(prefix) ? parseStellarAddress(source.slice(prefix.length)) : undefined;
}
