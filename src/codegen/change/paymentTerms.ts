import {
  decodeStrKey,
  formatDecimalAmount,
  parseDecimalAmount,
  USDC_CONTRACT,
  USDC_ISSUER,
} from '../../protocol/index.ts';
import { type Refusal, refuse } from '../routes/route.ts';

/** The default price, in USDC. */
export const DEFAULT_PRICE = '0.01';

/** Maximum length of a route's description, as for one taken from a comment. */
export const MAX_DESCRIPTION = 256;

/** Maximum amount of an asset in one account: amounts on the ledger are signed 64-bit (CAP-0006). */
const MAX_UNITS = 2n ** 63n - 1n;

/** Terms of a payment, and the facilitator that verifies it. */
export interface Terms {
  readonly price: Price;
  readonly payTo: string;
  readonly facilitatorUrl: string;
  /** What a buyer gets, if the caller provided it. */
  readonly description: string | undefined;
}

/** A price in the form written into the code. */
export type Price =
  | { readonly kind: 'money'; readonly text: string }
  | { readonly kind: 'units'; readonly asset: string; readonly amount: string };

/** Reads the terms of a payment; returns the reason for the first invalid one. */
export function readTerms(given: {
  readonly price: string;
  readonly payTo: string;
  readonly facilitatorUrl: string;
  readonly description?: string | undefined;
}): Terms | Refusal {
  const price = parsePrice(given.price);
  if ('code' in price) return price;
  const payTo = parsePayTo(given.payTo);
  if (typeof payTo !== 'string') return payTo;
  const facilitatorUrl = parseFacilitatorUrl(given.facilitatorUrl);
  if (typeof facilitatorUrl !== 'string') return facilitatorUrl;
  return { price, payTo, facilitatorUrl, description: oneLine(given.description ?? '') };
}

/** A description on one line, cut to the length that a catalog lists; `undefined` for none. */
function oneLine(text: string): string | undefined {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION);
  return line === '' ? undefined : line;
}

/**
 * Reads a price in USDC: decimal text, more than zero, at most 7 decimals (spec: Editor extension
 * command). The packages parse `$0.01` as floating point, which keeps 15 digits, so a longer price is written in atomic units.
 */
export function parsePrice(given: string): Price | Refusal {
  const amount = parseDecimalAmount(given.trim().replace(/^\$/, ''));
  if (amount === undefined || amount <= 0n) {
    return refuse(
      'invalid_price',
      `${JSON.stringify(given)} is not a price. Give USDC as a decimal number above zero with at most 7 decimals, such as ${DEFAULT_PRICE}.`,
    );
  }
  if (amount > MAX_UNITS) {
    return refuse(
      'invalid_price',
      `No account can hold ${given.trim()} USDC: the maximum is ${formatDecimalAmount(MAX_UNITS)}.`,
    );
  }
  const decimal = formatDecimalAmount(amount);
  return amount < 10n ** 15n
    ? { kind: 'money', text: `$${decimal}` }
    : { kind: 'units', asset: USDC_CONTRACT, amount: String(amount) };
}

/** Reads the account that receives the payment: a G or C address with a valid checksum. */
export function parsePayTo(given: string): string | Refusal {
  const address = given.trim();
  if (address === USDC_ISSUER) {
    return refuse(
      'invalid_pay_to',
      'This address is the issuer of USDC, which cannot be paid in USDC: no buyer could pay. Give an account of your own.',
    );
  }
  if (decodeStrKey('account', address) || decodeStrKey('contract', address)) return address;
  return refuse(
    'invalid_pay_to',
    address === ''
      ? 'No payment address set. Give a Stellar address that begins with G or C.'
      : `${JSON.stringify(address)} is not a Stellar address. An address begins with G or C, has 56 characters and a valid checksum.`,
  );
}

/** Reads the address of the facilitator that generated code falls back to. */
export function parseFacilitatorUrl(given: string): string | Refusal {
  try {
    const url = new URL(given);
    if (url.protocol === 'http:' || url.protocol === 'https:')
      return given.replace(/(?<!\/)\/+$/, '');
  } catch {
    // Told below.
  }
  return refuse('invalid_url', `${JSON.stringify(given)} is not an http or https URL.`);
}
