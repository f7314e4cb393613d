import { xdr } from '@stellar/stellar-sdk';
import { ArgumentError } from './argumentError.ts';

interface IntegerKind {
  readonly signed: boolean;
  readonly bits: number;
  readonly value: (integer: bigint) => xdr.ScVal;
}

const low = (value: bigint, at: number): bigint => BigInt.asUintN(64, value >> BigInt(at));
const high = (value: bigint, at: number): bigint => BigInt.asIntN(64, value >> BigInt(at));

/** Integer types, by their names in contract interfaces. */
const KINDS = {
  scSpecTypeU32: kind(false, 32, (value) => xdr.ScVal.scvU32(Number(value))),
  scSpecTypeI32: kind(true, 32, (value) => xdr.ScVal.scvI32(Number(value))),
  scSpecTypeU64: kind(false, 64, (value) => xdr.ScVal.scvU64(value)),
  scSpecTypeI64: kind(true, 64, (value) => xdr.ScVal.scvI64(value)),
  scSpecTypeTimepoint: kind(false, 64, (value) => xdr.ScVal.scvTimepoint(value)),
  scSpecTypeDuration: kind(false, 64, (value) => xdr.ScVal.scvDuration(value)),
  scSpecTypeU128: kind(false, 128, (value) =>
    xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: low(value, 64), lo: low(value, 0) })),
  ),
  scSpecTypeI128: kind(true, 128, (value) =>
    xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: high(value, 64), lo: low(value, 0) })),
  ),
  scSpecTypeU256: kind(false, 256, (value) =>
    xdr.ScVal.scvU256(
      new xdr.Uint256Parts({
        hiHi: low(value, 192),
        hiLo: low(value, 128),
        loHi: low(value, 64),
        loLo: low(value, 0),
      }),
    ),
  ),
  scSpecTypeI256: kind(true, 256, (value) =>
    xdr.ScVal.scvI256(
      new xdr.Int256Parts({
        hiHi: high(value, 192),
        hiLo: low(value, 128),
        loHi: low(value, 64),
        loLo: low(value, 0),
      }),
    ),
  ),
} as const satisfies Partial<Record<xdr.ScSpecTypeDef['type'], IntegerKind>>;

type IntegerType = keyof typeof KINDS;

function kind(signed: boolean, bits: number, value: IntegerKind['value']): IntegerKind {
  return { signed, bits, value };
}

export function isIntegerType(type: xdr.ScSpecTypeDef['type']): type is IntegerType {
  return Object.hasOwn(KINDS, type);
}

/** Maximum number of digits, for 256 bits. */
const MOST_DIGITS = 80;

/** @throws ArgumentError */
export function integerValue(text: string, type: IntegerType): xdr.ScVal {
  const { signed, bits, value } = KINDS[type];
  const digits = text.trim();
  const name = `${signed ? 'i' : 'u'}${bits}`;
  if (!/^-?\d+$/.test(digits) || digits.length > MOST_DIGITS) {
    throw new ArgumentError(`Enter a whole number (${name})`);
  }
  const integer = BigInt(digits);
  const fits = signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  if (fits !== integer) throw new ArgumentError(`The number does not fit into ${name}`);
  return value(integer);
}
