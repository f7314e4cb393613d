import { xdr } from '@stellar/stellar-sdk';
import { parseStellarAddress } from '../../../common/address.ts';
import { toScAddress } from '../../../common/scAddress.ts';
import { type ContractInterface, type NamedType, typeText } from '../trace/index.ts';

/** Maximum nesting depth of a value, and maximum number of values in it. */
const MAX_DEPTH = 12;
const MAX_PARTS = 2_000;

type Types = ContractInterface['types'];

/**
 * Converts what a user typed to a value of a contract's type.
 *
 * Numbers, addresses, symbols and strings are written without quotation marks, bytes as hexadecimal digits, and everything else
 * as JSON: a struct as an object, a union as `["Case", …]` or the case's name, an enum as the name of a case, a map as a list
 * of pairs.
 *
 * @throws ArgumentError
 */
export function argumentValue(text: string, type: xdr.ScSpecTypeDef, types: Types): xdr.ScVal {
  return new ValueReader(types).read(isPlain(type) ? text : parsed(text, type), type, 0);
}

/** Types whose values are texts: quotation marks would become part of them. */
function isPlain(type: xdr.ScSpecTypeDef): boolean {
  switch (type.type) {
    case 'scSpecTypeVec':
    case 'scSpecTypeMap':
    case 'scSpecTypeTuple':
    case 'scSpecTypeUdt':
    case 'scSpecTypeVal':
      return false;
    case 'scSpecTypeOption':
      return isPlain(type.option.valueType);
    default:
      return true;
  }
}

function parsed(text: string, type: xdr.ScSpecTypeDef): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  try {
    return JSON.parse(trimmed);
  } catch {
    // The name of a case does not need quotation marks.
    if (/^\w+$/.test(trimmed)) return trimmed;
    throw new ArgumentError(`Enter ${typeText(type)} as JSON`);
  }
}

class ValueReader {
  readonly #types: Types;
  #parts = 0;

  constructor(types: Types) {
    this.#types = types;
  }

  read(value: unknown, type: xdr.ScSpecTypeDef, depth: number): xdr.ScVal {
    this.#parts += 1;
    if (depth > MAX_DEPTH || this.#parts > MAX_PARTS) {
      throw new ArgumentError('The value is nested too deep or too large');
    }
    if (isIntegerType(type.type)) return integerValue(textOf(value, type), type.type);
    const deeper = (inner: unknown, of: xdr.ScSpecTypeDef): xdr.ScVal =>
      this.read(inner, of, depth + 1);
    switch (type.type) {
      case 'scSpecTypeBool':
        return boolean(value);
      case 'scSpecTypeVoid':
        return nothing(value);
      case 'scSpecTypeAddress':
      case 'scSpecTypeMuxedAddress':
        return address(textOf(value, type));
      case 'scSpecTypeSymbol':
        return symbol(textOf(value, type));
      case 'scSpecTypeString':
        return xdr.ScVal.scvString(textOf(value, type));
      case 'scSpecTypeBytes':
        return bytes(textOf(value, type), undefined);
      case 'scSpecTypeBytesN':
        return bytes(textOf(value, type), type.bytesN.n);
      case 'scSpecTypeOption':
        return isNothing(value) ? xdr.ScVal.scvVoid() : deeper(value, type.option.valueType);
      case 'scSpecTypeVec':
        return vector(list(value, type).map((item) => deeper(item, type.vec.elementType)));
      case 'scSpecTypeTuple': {
        const { valueTypes } = type.tuple;
        return vector(inOrder(list(value, type), valueTypes, type, deeper));
      }
      case 'scSpecTypeMap': {
        const { keyType, valueType } = type.map;
        const pairs = list(value, type).map((pair): [xdr.ScVal, xdr.ScVal] => {
          const [key, val, ...more] = list(pair, type);
          if (more.length > 0) throw mismatch(type);
          return [deeper(key, keyType), deeper(val, valueType)];
        });
        return mapOf(pairs);
      }
      case 'scSpecTypeUdt': {
        const named = this.#types.get(type.udt.name.toString());
        if (named === undefined) throw new ArgumentError(`${typeText(type)} is not declared`);
        return this.#named(value, named, type, deeper);
      }
      default:
        throw new ArgumentError(`A value of type ${typeText(type)} cannot be entered here`);
    }
  }

  #named(
    value: unknown,
    named: NamedType,
    type: xdr.ScSpecTypeDef,
    deeper: (inner: unknown, of: xdr.ScSpecTypeDef) => xdr.ScVal,
  ): xdr.ScVal {
    if (named.kind === 'enum') {
      const found = [...named.cases].find(
        ([number, name]) => name === value || String(number) === String(value),
      );
      if (found === undefined) {
        throw new ArgumentError(
          `${typeText(type)} must be one of ${[...named.cases.values()].join(', ')}`,
        );
      }
      return xdr.ScVal.scvU32(found[0]);
    }
    if (named.kind === 'union') {
      const [tag, ...fields] = Array.isArray(value) ? value : [value];
      const kinds = named.cases.get(String(tag));
      if (kinds === undefined) {
        throw new ArgumentError(
          `${typeText(type)} must be one of ${[...named.cases.keys()].join(', ')}`,
        );
      }
      return vector([xdr.ScVal.scvSymbol(String(tag)), ...inOrder(fields, kinds, type, deeper)]);
    }
    // A struct whose field names are numbers is a tuple.
    if (named.fields.every(({ name }, at) => name === String(at))) {
      const types = named.fields.map((field) => field.type);
      return vector(inOrder(list(value, type), types, type, deeper));
    }
    const given = objectOf(value, type);
    const unknown = Object.keys(given).find((name) =>
      named.fields.every((one) => one.name !== name),
    );
    if (unknown !== undefined) throw new ArgumentError(`${typeText(type)} has no ${unknown}`);
    return mapOf(
      named.fields.map(({ name, type: of }): [xdr.ScVal, xdr.ScVal] => {
        if (!Object.hasOwn(given, name) && of.type !== 'scSpecTypeOption') {
          throw new ArgumentError(`${typeText(type)} needs ${name}`);
        }
        return [xdr.ScVal.scvSymbol(name), deeper(given[name], of)];
      }),
    );
  }
}

function inOrder(
  values: readonly unknown[],
  types: readonly xdr.ScSpecTypeDef[],
  of: xdr.ScSpecTypeDef,
  read: (value: unknown, type: xdr.ScSpecTypeDef) => xdr.ScVal,
): xdr.ScVal[] {
  if (values.length !== types.length) throw mismatch(of);
  return types.map((type, at) => read(values[at], type));
}

function textOf(value: unknown, type: xdr.ScSpecTypeDef): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'number') {
    throw new ArgumentError('Put large numbers in quotation marks: JSON would round them');
  }
  throw mismatch(type);
}

function list(value: unknown, type: xdr.ScSpecTypeDef): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw mismatch(type);
}

function objectOf(value: unknown, type: xdr.ScSpecTypeDef): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw mismatch(type);
}

function mismatch(type: xdr.ScSpecTypeDef): ArgumentError {
  return new ArgumentError(`The value is not a ${typeText(type)}`);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function nothing(value: unknown): xdr.ScVal {
  if (isNothing(value)) return xdr.ScVal.scvVoid();
  throw new ArgumentError('Leave this value empty');
}

function boolean(value: unknown): xdr.ScVal {
  const text = String(value).trim();
  if (text !== 'true' && text !== 'false') throw new ArgumentError('Enter true or false');
  return xdr.ScVal.scvBool(text === 'true');
}

function address(text: string): xdr.ScVal {
  const found = parseStellarAddress(text.trim());
  if (found === undefined) throw new ArgumentError('Enter an address, G… or C…');
  return xdr.ScVal.scvAddress(toScAddress(found));
}

function symbol(text: string): xdr.ScVal {
  if (!/^\w{0,32}$/.test(text)) {
    throw new ArgumentError('A symbol has at most 32 letters, digits and underscores');
  }
  return xdr.ScVal.scvSymbol(text);
}

function bytes(text: string, length: number | undefined): xdr.ScVal {
  const digits = text.trim().replace(/^0x/, '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) throw new ArgumentError('Enter bytes in hexadecimal');
  if (length !== undefined && digits.length !== 2 * length) {
    throw new ArgumentError(`Enter ${length} bytes, ${2 * length} hexadecimal digits`);
  }
  return xdr.ScVal.scvBytes(Buffer.from(digits, 'hex'));
}

function vector(items: xdr.ScVal[]): xdr.ScVal {
  return xdr.ScVal.scvVec(items);
}

/** The host accepts maps only in the order of their keys. */
function mapOf(pairs: [xdr.ScVal, xdr.ScVal][]): xdr.ScVal {
  const sorted = pairs.toSorted(([one], [other]) => compareKeys(one, other));
  return xdr.ScVal.scvMap(sorted.map(([key, val]) => new xdr.ScMapEntry({ key, val })));
}

/** Compares symbols and strings as text, whole numbers by value, and others by their bytes. */
function compareKeys(one: xdr.ScVal, other: xdr.ScVal): number {
  const [a, b] = [orderOf(one), orderOf(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function orderOf(key: xdr.ScVal): string | bigint {
  switch (key.type) {
    case 'scvSymbol':
      return key.sym.toString();
    case 'scvString':
      return Buffer.from(key.str.toString()).toString('latin1');
    case 'scvU32':
      return BigInt(key.u32);
    case 'scvI32':
      return BigInt(key.i32);
    case 'scvU64':
      return key.u64;
    case 'scvI64':
      return key.i64;
    case 'scvU128':
      return (key.u128.hi << 64n) + key.u128.lo;
    case 'scvI128':
      return (key.i128.hi << 64n) + key.i128.lo;
    default:
      return Buffer.from(key.toXdr()).toString('latin1');
  }
}

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

function isIntegerType(type: xdr.ScSpecTypeDef['type']): type is IntegerType {
  return Object.hasOwn(KINDS, type);
}

/** Maximum number of digits, for 256 bits. */
const MAX_DIGITS = 80;

/** @throws ArgumentError */
function integerValue(text: string, type: IntegerType): xdr.ScVal {
  const { signed, bits, value } = KINDS[type];
  const digits = text.trim();
  const name = `${signed ? 'i' : 'u'}${bits}`;
  if (!/^-?\d+$/.test(digits) || digits.length > MAX_DIGITS) {
    throw new ArgumentError(`Enter a whole number (${name})`);
  }
  const integer = BigInt(digits);
  const fits = signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  if (fits !== integer) throw new ArgumentError(`The number does not fit into ${name}`);
  return value(integer);
}

/** A text is not a value of the type that a contract function takes. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly code = 'BAD_ARGUMENT';
}
