import * as z from 'zod/mini';
import { readJws, type SigningKey, signJws } from './jws.ts';

/** Name of the extension, in `extensions` of a 402 and of the settlement that a buyer gets. */
export const OFFER_RECEIPT = 'offer-receipt';
const VERSION = 1;

/** A signed text as it travels: in `offers` of a 402, or as the `receipt` of a settlement. */
export interface SignedText {
  readonly format: 'jws';
  /** For offers: which of `accepts` was meant. A hint alone: it is not signed, so offers are matched by their fields. */
  readonly acceptIndex?: number;
  readonly signature: string;
}

/** What a seller commits to before the payment. */
export interface OfferTerms {
  readonly resourceUrl: string;
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** In atomic units of the asset. */
  readonly amount: string;
  /** Seconds since 1970 after which it no longer holds; 0 if it says nothing. */
  readonly validUntil: number;
}

/** What a seller confirms after the payment. */
export interface ReceiptTerms {
  readonly network: string;
  readonly resourceUrl: string;
  readonly payer: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  /** Hash of the transaction, if the seller says it. */
  readonly transaction?: string | undefined;
}

const offerSchema = z.object({
  version: z.literal(VERSION),
  resourceUrl: z.string(),
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  payTo: z.string(),
  amount: z.string().check(z.regex(/^(0|[1-9][0-9]{0,38})$/)),
  validUntil: z._default(z.int().check(z.nonnegative()), 0),
});

const receiptSchema = z.object({
  version: z.literal(VERSION),
  network: z.string(),
  resourceUrl: z.string(),
  payer: z.string(),
  issuedAt: z.int().check(z.positive()),
  // Upstream's EIP-712 form has an empty text where no hash is said.
  transaction: z.optional(z.string()),
});

/** Reads the terms of an offer; `undefined` if they are not those of version 1. */
export function readOfferTerms(payload: unknown): OfferTerms | undefined {
  return z.safeParse(offerSchema, payload).data;
}

/** Reads the terms of a receipt; `undefined` if they are not those of version 1. */
export function readReceiptTerms(payload: unknown): ReceiptTerms | undefined {
  const terms = z.safeParse(receiptSchema, payload).data;
  if (terms === undefined) return undefined;
  const { transaction, ...rest } = terms;
  return transaction === undefined || transaction === '' ? rest : { ...rest, transaction };
}

/** Signs an offer. @param acceptIndex its place in `accepts` */
export async function signOffer(
  terms: OfferTerms,
  key: SigningKey,
  acceptIndex: number,
): Promise<SignedText> {
  return {
    format: 'jws',
    acceptIndex,
    signature: await signJws({ version: VERSION, ...terms }, key),
  };
}

/** Signs a receipt. Sign it only for a payment that was seen to settle, and a response that was given. */
export async function signReceipt(terms: ReceiptTerms, key: SigningKey): Promise<SignedText> {
  return { format: 'jws', signature: await signJws({ version: VERSION, ...terms }, key) };
}

const signedSchema = z.object({
  format: z.literal('jws'),
  acceptIndex: z.optional(z.int()),
  signature: z.string(),
});

/** Offers of one 402 that are read; further ones are ignored. */
const MAX_OFFERS = 16;

/** Returns the offers of a 402's `extensions`, in the form that is read here; those in other forms, such as `eip712`, are left out. */
export function offersIn(extensions: unknown): readonly SignedText[] {
  const found = z.safeParse(
    z.object({ info: z.object({ offers: z.array(z.unknown()) }) }),
    of(extensions),
  );
  return (found.data?.info.offers ?? [])
    .slice(0, MAX_OFFERS)
    .flatMap((offer) => signedText(offer) ?? []);
}

/** Returns the receipt of a settlement's `extensions`, if it has one in the form that is read here. */
export function receiptIn(extensions: unknown): SignedText | undefined {
  const found = z.safeParse(z.object({ info: z.object({ receipt: z.unknown() }) }), of(extensions));
  return signedText(found.data?.info.receipt);
}

function of(extensions: unknown): unknown {
  return z.safeParse(z.record(z.string(), z.unknown()), extensions).data?.[OFFER_RECEIPT];
}

function signedText(value: unknown): SignedText | undefined {
  const { data } = z.safeParse(signedSchema, value);
  if (data === undefined) return undefined;
  const { format, acceptIndex, signature } = data;
  return { format, signature, ...(acceptIndex === undefined ? {} : { acceptIndex }) };
}

/** Reads what a signed text says, without a word about who said it. */
export function unverifiedPayload({ signature }: SignedText): unknown {
  const read = readJws(signature);
  return typeof read === 'string' ? undefined : read.payload;
}
