/** `a / b` rounded towards infinity, for `a >= 0` and `b > 0`. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
