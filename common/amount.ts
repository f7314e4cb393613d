declare const atomicBrand: unique symbol;

/**
 * A token amount in atomic units, never negative and never above the maximum of a Soroban `i128`.
 * One unit of a Stellar asset is 10,000,000 atomic units (spec: Amount rules).
 */
export type AtomicAmount = bigint & { readonly [atomicBrand]: true };

/** Decimal places of Stellar assets (spec: Limits/Decimals). */
export const STELLAR_DECIMALS = 7;

const MAX_I128 = (1n << 127n) - 1n;
const INTEGER = /^(?:0|[1-9]\d{0,38})$/;
const DECIMAL = /^(\d{1,32})(?:\.(\d+))?$/;

function inRange(value: bigint): AtomicAmount | undefined {
  return value >= 0n && value <= MAX_I128 ? (value as AtomicAmount) : undefined;
}

/** Converts a bigint to an amount; `undefined` if it is negative or too large for an `i128`. */
export function atomicAmount(value: bigint): AtomicAmount | undefined {
  return inRange(value);
}

/**
 * Reads an amount in atomic units from its wire form, a string of decimal digits.
 * Anything else (a sign, a point, an exponent, spaces, leading zeros) is malformed and returns `undefined`.
 */
export function parseAtomicAmount(text: string): AtomicAmount | undefined {
  return INTEGER.test(text) ? inRange(BigInt(text)) : undefined;
}

/**
 * Reads a decimal amount such as `0.01` as atomic units.
 * An amount with more decimal places than the asset is refused, not rounded: rounding would change a price.
 */
export function parseDecimalAmount(
  text: string,
  decimals: number = STELLAR_DECIMALS,
): AtomicAmount | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return undefined;
  return inRange(BigInt(whole + fraction.padEnd(decimals, '0')));
}

/** Returns the number from an amount that a person may have written with its asset code: `0.01` from `0.01 USDC`. */
export function withoutUsdc(text: string): string {
  return text.replace(/ USDC$/, '');
}

/** Writes atomic units as a decimal string without trailing zeros: `1000000n` is `0.1`. */
export function formatDecimalAmount(amount: bigint, decimals: number = STELLAR_DECIMALS): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
