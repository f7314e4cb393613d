import { OFFER_RECEIPT } from './artifacts.ts';
import type { OfferedTerms } from './verify.ts';

/** What a buyer kept of one paid request, in a form that anybody can verify: the seller's words, and what they are compared with. */
export interface ReceiptFile {
  readonly kind: typeof RECEIPT_FILE;
  readonly version: 1;
  readonly method: string;
  /** What was asked for, absolute, without a fragment. */
  readonly url: string;
  /** When the payment was sent, by the buyer's clock, in seconds since 1970. */
  readonly paidAt: number;
  /** The terms of the payment. */
  readonly paid: OfferedTerms;
  /** Who paid (`G…` or `C…`). */
  readonly payer: string;
  /** Hash of the transaction; empty if the buyer did not learn it. */
  readonly transaction: string;
  /** Signed offers of the challenge, as they came. */
  readonly offers: readonly unknown[];
  /** The signed receipt, as it came; absent if there was none. */
  readonly receipt?: unknown;
  /** What came and was too long, or too much, to be kept. */
  readonly omitted: readonly ('offers' | 'receipt')[];
}

/** The `kind` of such a file. */
export const RECEIPT_FILE = 'svc-x402/receipt';

/** Offers of one challenge that are kept: one for each way to pay. */
const MAX_OFFERS = 8;
/** Characters of JSON of one offer or receipt that is kept; a verifier reads a JWS of 16 KiB. */
const MAX_ARTIFACT = 20_000;
/** Characters of a text in a file. */
const MAX_TEXT = 4_096;
/** Characters of a whole file. */
export const MAX_RECEIPT_FILE = 256 * 1024;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const isShort = (value: unknown): boolean =>
  (JSON.stringify(value)?.length ?? MAX_ARTIFACT) < MAX_ARTIFACT;

/** What the buyer itself knows of its payment. */
export type PaidRequest = Pick<
  ReceiptFile,
  'method' | 'url' | 'paidAt' | 'paid' | 'payer' | 'transaction'
>;

/**
 * Collects what a seller signed. Nothing is verified, and what is wrong is kept too, so that it can be reported.
 * @param challenge the message of `PAYMENT-REQUIRED`
 * @param settlement the message of `PAYMENT-RESPONSE`; `undefined` if none came
 * @returns `undefined` if the seller signed nothing
 */
export function collectReceipt(
  request: PaidRequest,
  challenge: unknown,
  settlement: unknown,
): ReceiptFile | undefined {
  const infoIn = (message: unknown): Members =>
    membersOf(membersOf(membersOf(membersOf(message)['extensions'])[OFFER_RECEIPT])['info']);
  const { offers: listed } = infoIn(challenge);
  const { receipt } = infoIn(settlement);
  if (listed === undefined && receipt === undefined) return undefined;
  // A text that should be a list is kept as its only element: it is refused, with a reason, when it is verified.
  const offered: readonly unknown[] =
    listed === undefined ? [] : Array.isArray(listed) ? listed : [listed];
  const offers = offered.slice(0, MAX_OFFERS).filter(isShort);
  const isKept = receipt !== undefined && isShort(receipt);
  return {
    ...{ kind: RECEIPT_FILE, version: 1, ...request, offers },
    ...(isKept ? { receipt } : {}),
    omitted: [
      ...(offers.length < offered.length ? (['offers'] as const) : []),
      ...(receipt !== undefined && !isKept ? (['receipt'] as const) : []),
    ],
  };
}

/** Reads such a file from its JSON; `undefined` if it is not one. Offers and receipt stay unread until they are verified. */
export function readReceiptFile(json: string): ReceiptFile | undefined {
  if (json.length > MAX_RECEIPT_FILE) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { kind, version, method, url, paidAt, paid, payer, transaction, offers, receipt, omitted } =
    membersOf(value);
  const isText = (text: unknown): text is string =>
    typeof text === 'string' && text.length <= MAX_TEXT;
  const { scheme, network, asset, payTo, amount } = membersOf(paid);
  if (kind !== RECEIPT_FILE || version !== 1 || !Array.isArray(offers)) return undefined;
  if (!isText(method) || !isText(url) || !URL.canParse(url) || !isText(payer)) return undefined;
  if (!isText(scheme) || !isText(network) || !isText(asset) || !isText(payTo)) return undefined;
  if (typeof amount !== 'string' || !/^\d{1,39}$/.test(amount)) return undefined;
  if (typeof transaction !== 'string' || !/^(?:[0-9a-f]{64})?$/.test(transaction)) return undefined;
  if (typeof paidAt !== 'number' || !Number.isSafeInteger(paidAt)) return undefined;
  const left: readonly unknown[] = Array.isArray(omitted) ? omitted : [];
  return {
    ...{ kind, version, method, url, paidAt, payer, transaction },
    ...{ paid: { scheme, network, asset, payTo, amount }, offers: offers.slice(0, MAX_OFFERS) },
    ...(receipt === undefined ? {} : { receipt }),
    omitted: (['offers', 'receipt'] as const).filter((name) => left.includes(name)),
  };
}
