import type { xdr } from '@stellar/stellar-sdk';
import { readScAddress } from '../../../common/scAddress.ts';
import { encodeStrKey } from '../../../common/strKey.ts';
import { visibleText } from '../../../common/visibleText.ts';
import type { ContractInterface, NamedType } from './contractInterface.ts';

/** Maximum number of characters in a value, and its maximum nesting depth. */
const MAX_TEXT = 600;
const MAX_DEPTH = 12;
/** Maximum number of bytes shown of a byte string. */
const MAX_BYTES = 40;

/** The remaining number of characters for all values of a trace. */
export class TextRoom {
  #left: number;

  constructor(left: number) {
    this.#left = left;
  }

  /** Maximum number of characters for the next value. */
  get next(): number {
    return Math.min(MAX_TEXT, this.#left);
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  take(text: string): string {
    this.#left -= text.length;
    return text;
  }
}

/**
 * A contract value in readable form, limited in length and depth.
 * @param type its type in the contract's interface; if the value is of another kind, the value's own kind is used
 */
export function valueText(
  value: xdr.ScVal,
  room: TextRoom,
  type?: xdr.ScSpecTypeDef,
  types: ContractInterface['types'] = NO_TYPES,
): string {
  const writer = new ValueWriter(room.next, types);
  writer.value(value, type, 0);
  return room.take(writer.text);
}

const NO_TYPES: ContractInterface['types'] = new Map();

class ValueWriter {
  readonly #most: number;
  readonly #types: ContractInterface['types'];
  #text = '';
  #full = false;

  constructor(most: number, types: ContractInterface['types']) {
    this.#most = most;
    this.#types = types;
  }

  get text(): string {
    return this.#text;
  }

  value(value: xdr.ScVal, type: xdr.ScSpecTypeDef | undefined, depth: number): void {
    if (this.#full) return;
    if (depth > MAX_DEPTH) {
      this.#write('…');
      return;
    }
    const named =
      type?.type === 'scSpecTypeUdt' ? this.#types.get(type.udt.name.toString()) : undefined;
    if (value.type === 'scvVec') this.#vector(value.vec ?? [], type, named, depth);
    else if (value.type === 'scvMap') this.#map(value.map ?? [], type, named, depth);
    else if (value.type === 'scvContractInstance') this.#instance(value.instance, depth);
    else if (value.type === 'scvVoid')
      this.#write(type?.type === 'scSpecTypeOption' ? 'none' : '()');
    else if (named?.kind === 'enum' && value.type === 'scvU32') {
      this.#write(named.cases.get(value.u32) ?? String(value.u32));
    } else this.#write(plainText(value));
  }

  #vector(
    items: readonly xdr.ScVal[],
    type: xdr.ScSpecTypeDef | undefined,
    named: NamedType | undefined,
    depth: number,
  ): void {
    const [tag, ...fields] = items;
    if (named?.kind === 'union' && tag?.type === 'scvSymbol') {
      const name = tag.sym.toString();
      const kinds = named.cases.get(name) ?? [];
      this.#write(clean(name));
      if (fields.length > 0) this.#list('(', fields, ')', (at) => kinds[at], depth);
      return;
    }
    const tuple = type?.type === 'scSpecTypeTuple' ? type.tuple.valueTypes : undefined;
    const element = type?.type === 'scSpecTypeVec' ? type.vec.elementType : undefined;
    if (named?.kind === 'struct') {
      this.#list('(', items, ')', (at) => named.fields[at]?.type, depth);
    } else this.#list('[', items, ']', (at) => tuple?.[at] ?? element, depth);
  }

  #list(
    open: string,
    items: readonly xdr.ScVal[],
    close: string,
    typeOf: (at: number) => xdr.ScSpecTypeDef | undefined,
    depth: number,
  ): void {
    this.#write(open);
    for (const [at, item] of items.entries()) {
      if (this.#full) return;
      if (at > 0) this.#write(', ');
      this.value(item, typeOf(at), depth + 1);
    }
    this.#write(close);
  }

  #map(
    entries: readonly xdr.ScMapEntry[],
    type: xdr.ScSpecTypeDef | undefined,
    named: NamedType | undefined,
    depth: number,
  ): void {
    const fields = named?.kind === 'struct' ? named.fields : [];
    const [keyType, valueType] =
      type?.type === 'scSpecTypeMap' ? [type.map.keyType, type.map.valueType] : [];
    this.#write('{');
    for (const [at, { key, val }] of entries.entries()) {
      if (this.#full) return;
      if (at > 0) this.#write(', ');
      this.value(key, keyType, depth + 1);
      this.#write(': ');
      const name = key.type === 'scvSymbol' ? key.sym.toString() : undefined;
      const field = fields.find((one) => one.name === name);
      this.value(val, field?.type ?? valueType, depth + 1);
    }
    this.#write('}');
  }

  #instance({ executable, storage }: xdr.ScContractInstance, depth: number): void {
    const code =
      executable.type === 'contractExecutableWasm'
        ? `code ${hexText(executable.wasmHash.value)}`
        : 'asset contract';
    this.#write(`instance of ${code} `);
    this.#map(storage ?? [], undefined, undefined, depth);
  }

  #write(text: string): void {
    if (this.#full) return;
    const left = this.#most - this.#text.length;
    this.#full = text.length > left;
    this.#text += this.#full ? `${text.slice(0, Math.max(0, left - 1))}…` : text;
  }
}

/** A value that does not contain others. */
function plainText(value: xdr.ScVal): string {
  switch (value.type) {
    case 'scvBool':
      return String(value.b);
    case 'scvError':
      return errorCode(value.error);
    case 'scvU32':
      return String(value.u32);
    case 'scvI32':
      return String(value.i32);
    case 'scvU64':
      return String(value.u64);
    case 'scvI64':
      return String(value.i64);
    case 'scvTimepoint':
      return String(value.timepoint);
    case 'scvDuration':
      return String(value.duration);
    case 'scvU128':
      return String((value.u128.hi << 64n) + value.u128.lo);
    case 'scvI128':
      return String((value.i128.hi << 64n) + value.i128.lo);
    case 'scvU256':
      return String(wide(value.u256));
    case 'scvI256':
      return String(wide(value.i256));
    case 'scvBytes':
      return hexText(value.bytes.value);
    case 'scvString':
      return JSON.stringify(clean(value.str.toString()));
    case 'scvSymbol':
      return clean(value.sym.toString());
    case 'scvAddress':
      return addressText(value.address);
    case 'scvLedgerKeyContractInstance':
      return 'instance';
    case 'scvLedgerKeyNonce':
      return `nonce ${value.nonceKey.nonce}`;
    default:
      return value.type;
  }
}

function wide({ hiHi, hiLo, loHi, loLo }: xdr.Uint256Parts | xdr.Int256Parts): bigint {
  return (hiHi << 192n) + (hiLo << 128n) + (loHi << 64n) + loLo;
}

/** Third-party text, on one line and without invisible characters. */
function clean(text: string): string {
  return visibleText(text.slice(0, 2 * MAX_TEXT));
}

/** Hexadecimal digits of the first bytes. */
export function hexText(bytes: Uint8Array): string {
  const shown = Buffer.from(bytes.subarray(0, MAX_BYTES)).toString('hex');
  return bytes.length > MAX_BYTES ? `0x${shown}… (${bytes.length} bytes)` : `0x${shown}`;
}

/** An address as text; only the kind for claimable balances and pools. */
export function addressText(address: xdr.ScAddress): string {
  const plain = readScAddress(address);
  if (plain !== undefined) return plain;
  switch (address.type) {
    case 'scAddressTypeMuxedAccount':
      return `${encodeStrKey('account', address.muxedAccount.ed25519.value)}:${address.muxedAccount.id}`;
    case 'scAddressTypeClaimableBalance':
      return 'claimable balance';
    default:
      return 'liquidity pool';
  }
}

/** An error in the host's notation: `Error(Contract, #10)`, `Error(Auth, InvalidAction)`. */
export function errorCode(error: xdr.ScError): string {
  const area = capital(error.type.replace(/^sce/, ''));
  const code =
    error.type === 'sceContract'
      ? `#${error.contractCode}`
      : capital(error.code.name.replace(/^scec/, ''));
  return `Error(${area}, ${code})`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
