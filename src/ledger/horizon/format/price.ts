const DIGITS = 7;

/** A fraction with seven digits after the point, rounded to the nearest. */
export function priceText(n: bigint | number, d: bigint | number): string {
  return fractionText(BigInt(n), BigInt(d), DIGITS);
}

/** A positive fraction with a number of digits after the point, halves rounded up. */
export function fractionText(n: bigint, d: bigint, digits: number): string {
  if (d === 0n) return '0';
  const scale = 10n ** BigInt(digits);
  const scaled = (2n * n * scale + d) / (2n * d);
  return `${scaled / scale}.${String(scaled % scale).padStart(digits, '0')}`;
}
