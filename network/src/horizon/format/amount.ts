const SCALE = 10_000_000n;
const DIGITS = 7;
const INT64_MAX = 2n ** 63n - 1n;

/** Formats stroops like all amounts in Horizon: with seven decimal places. */
export function amountText(stroops: bigint): string {
  const sign = stroops < 0n ? '-' : '';
  const size = stroops < 0n ? -stroops : stroops;
  return `${sign}${size / SCALE}.${String(size % SCALE).padStart(DIGITS, '0')}`;
}

/** Converts an amount to stroops; undefined if the text is not an amount or does not fit into 64 bits. */
export function parseAmount(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,7}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const size = BigInt(whole) * SCALE + BigInt(fraction.padEnd(DIGITS, '0'));
  if (size > INT64_MAX) return undefined;
  return sign === '-' ? -size : size;
}
