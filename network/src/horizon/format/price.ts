const DIGITS = 7;

/** Formats a fraction with seven decimal places, rounded to the nearest. */
export function priceText(n: bigint | number, d: bigint | number): string {
  return fractionText(BigInt(n), BigInt(d), DIGITS);
}

/** Formats a positive fraction with a number of decimal places, rounding halves up. */
export function fractionText(n: bigint, d: bigint, digits: number): string {
  if (d === 0n) return '0';
  const scale = 10n ** BigInt(digits);
  const scaled = (2n * n * scale + d) / (2n * d);
  return `${scaled / scale}.${String(scaled % scale).padStart(digits, '0')}`;
}
