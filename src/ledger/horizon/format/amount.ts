const SCALE = 10_000_000n;
const DIGITS = 7;
const INT64_MAX = 2n ** 63n - 1n;

/** Stroops in the form of all of Horizon's amounts: seven digits after the point. */
export function amountText(stroops: bigint): string {
  const sign = stroops < 0n ? '-' : '';
  const size = stroops < 0n ? -stroops : stroops;
  return `${sign}${size / SCALE}.${String(size % SCALE).padStart(DIGITS, '0')}`;
}

/** Reads an amount into stroops; undefined where the text is not an amount, or does not fit into 64 bits. */
export function parseAmount(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,7}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const size = BigInt(whole) * SCALE + BigInt(fraction.padEnd(DIGITS, '0'));
  if (size > INT64_MAX) return undefined;
  return sign === '-' ? -size : size;
}
