import * as xdr from '@stellar/stellar-sdk/xdr';

/** Reads an `i128` Soroban value; `undefined` if the value is of another kind. */
export function readI128(value: xdr.ScVal): bigint | undefined {
  return value.type === 'scvI128' ? (value.i128.hi << 64n) + value.i128.lo : undefined;
}

/** Writes an integer as an `i128` Soroban value. */
export function toI128(value: bigint): xdr.ScVal {
  return xdr.ScVal.scvI128(
    new xdr.Int128Parts({ hi: value >> 64n, lo: BigInt.asUintN(64, value) }),
  );
}
