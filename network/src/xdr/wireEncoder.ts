import type { UnionSchema, WireSchema, WireValue } from './wireSchema.ts';
import type { XdrWriter } from './xdrWriter.ts';

/**
 * Writes a value of one schema: an SDK object, or a part of one. Its class guarantees that it has the schema's shape.
 */
export type WireEncoder = (value: WireValue, out: XdrWriter) => void;

/**
 * Types of values that are written more than once: in their ledger and in responses. Their XDR is kept as long as they exist.
 */
const REMEMBERED = new Set(['TransactionEnvelope', 'DiagnosticEvent']);
/** Types of large values that do not outlive the value that contains them: their XDR is a part of its XDR. */
const REMEMBERED_IN_PLACE = new Set(['TransactionMeta']);
/** Types whose XDR other modules cache when useful. */
const REMEMBERED_BY_OTHERS = new Set(['ContractEvent', 'LedgerEntry']);
const known = new WeakMap<object, Uint8Array>();

/** The XDR of an object, if cached. */
export function knownXdr(value: object): Uint8Array | undefined {
  return known.get(value);
}

/** Caches the XDR of an object. The bytes must be canonical and must not change. */
export function rememberXdr(value: object, bytes: Uint8Array): void {
  known.set(value, bytes);
}

const encoders = new WeakMap<WireSchema, WireEncoder>();

/** The encoder of a schema, created when first requested. */
export function encoderOf(schema: WireSchema): WireEncoder {
  let encoder = encoders.get(schema);
  if (encoder === undefined) {
    encoder = makeEncoder(schema);
    encoders.set(schema, encoder);
  }
  return encoder;
}

function makeEncoder(schema: WireSchema): WireEncoder {
  switch (schema.kind) {
    case 'struct':
      return remembering(schema.name, structEncoder(schema.entries));
    case 'union':
      return remembering(schema.name, unionEncoder(schema));
    case 'array':
      return arrayEncoder(schema.element, schema.maxLength);
    case 'fixedArray':
      return fixedArrayEncoder(schema.element, schema.length);
    case 'option':
      return optionEncoder(schema.element);
    case 'opaque':
      return opaqueEncoder(schema.length);
    case 'varOpaque':
    case 'string':
      return bytesEncoder(schema.maxLength);
    case 'lazy':
      return (value, out) => encoderOf(schema.getSchema())(value, out);
    case 'enum':
      return enumEncoder(schema.nameByValue);
    case 'bool':
      return (value, out) => out.uint32(value === true ? 1 : 0);
    case 'int32':
      return (value, out) => out.int32(value as number);
    case 'uint32':
      return (value, out) => out.uint32(value as number);
    case 'int64':
      return (value, out) => out.int64(within<bigint>(value));
    case 'uint64':
      return (value, out) => out.uint64(within<bigint>(value));
    case 'void':
      return () => {};
  }
}

type Fields = Readonly<Record<string, WireValue>>;

function structEncoder(entries: readonly (readonly [string, WireSchema])[]): WireEncoder {
  const fields = entries.map(([name, schema]) => ({ name, encode: encoderOf(schema) }));
  const first = entries[0]?.[0] ?? '';
  return (value, out) => {
    // Numbers above 64 bits are one number in the SDK, but several in XDR.
    const parts = (value as Fields)[first] === undefined ? partsOf(value) : (value as Fields);
    for (const { name, encode } of fields) encode(parts[name] as WireValue, out);
  };
}

function partsOf(value: WireValue): Fields {
  return (value as unknown as { toXdrObject(): Fields }).toXdrObject();
}

/** SDK objects give the name of their case, plain objects its number. */
function unionEncoder({ name, switchOn, switchKey, cases }: UnionSchema): WireEncoder {
  const encodeSwitch = encoderOf(switchOn);
  const arms = new Map<unknown, Arm>();
  for (const { name: ofCase, discriminant, arm } of cases) {
    const found: Arm = {
      discriminant,
      field: arm.kind === 'field' ? arm.name : '',
      encode: arm.kind === 'field' ? encoderOf(arm.schema) : undefined,
    };
    arms.set(ofCase, found).set(discriminant, found);
  }
  return (value, out) => {
    const fields = value as Fields;
    const arm = arms.get(fields['type']) ?? arms.get(fields[switchKey]);
    if (arm === undefined) throw new RangeError(`${name} has no case ${String(fields['type'])}`);
    encodeSwitch(arm.discriminant, out);
    arm.encode?.(fields[arm.field] as WireValue, out);
  };
}

interface Arm {
  readonly discriminant: number | boolean;
  readonly field: string;
  /** Undefined if the case has no value. */
  readonly encode: WireEncoder | undefined;
}

function remembering(name: string, encode: WireEncoder): WireEncoder {
  const keep = REMEMBERED.has(name);
  const inPlace = REMEMBERED_IN_PLACE.has(name);
  if (!keep && !inPlace && !REMEMBERED_BY_OTHERS.has(name)) return encode;
  return (value, out) => {
    const bytes = known.get(value as object);
    if (bytes !== undefined) {
      out.opaque(bytes);
      return;
    }
    const start = out.length;
    encode(value, out);
    if (keep) known.set(value as object, out.since(start));
    if (inPlace) out.notePlace(value as object, start);
  };
}

/** Unwraps numbers and bytes that are in an SDK object for their type. */
function within<T>(value: WireValue): T {
  return (
    typeof value === 'object' && value !== null
      ? (value as unknown as { readonly value: unknown }).value
      : value
  ) as T;
}

function arrayEncoder(element: WireSchema, maxLength: number): WireEncoder {
  const encode = encoderOf(element);
  return (value, out) => {
    const items = value as readonly WireValue[];
    if (items.length > maxLength) throw tooLong(items.length, maxLength);
    out.uint32(items.length);
    for (const item of items) encode(item, out);
  };
}

function fixedArrayEncoder(element: WireSchema, length: number): WireEncoder {
  const encode = encoderOf(element);
  return (value, out) => {
    const items = value as readonly WireValue[];
    if (items.length !== length) throw wrongLength(items.length, length);
    for (const item of items) encode(item, out);
  };
}

function optionEncoder(element: WireSchema): WireEncoder {
  const encode = encoderOf(element);
  return (value, out) => {
    out.uint32(value === null ? 0 : 1);
    if (value !== null) encode(value, out);
  };
}

function opaqueEncoder(length: number): WireEncoder {
  return (value, out) => {
    const bytes = value instanceof Uint8Array ? value : within<Uint8Array>(value);
    if (bytes.length !== length) throw wrongLength(bytes.length, length);
    out.opaque(bytes);
  };
}

/** Texts are objects that contain their bytes. */
function bytesEncoder(maxLength: number): WireEncoder {
  return (value, out) => {
    const bytes = value instanceof Uint8Array ? value : textOf(value);
    if (bytes.length > maxLength) throw tooLong(bytes.length, maxLength);
    out.uint32(bytes.length);
    out.opaque(bytes);
  };
}

function textOf(value: WireValue): Uint8Array {
  return typeof value === 'object' && value !== null && 'bytes' in value
    ? (value.bytes as Uint8Array)
    : within<Uint8Array>(value);
}

function enumEncoder(names: ReadonlyMap<number, string>): WireEncoder {
  return (value, out) => {
    const number = within<number>(value);
    if (!names.has(number)) throw new RangeError(`${String(number)} is not a value of the enum`);
    out.int32(number);
  };
}

function tooLong(length: number, maxLength: number): RangeError {
  return new RangeError(`length ${length} exceeds the maximum of ${maxLength}`);
}

function wrongLength(length: number, expected: number): RangeError {
  return new RangeError(`length ${length} is not ${expected}`);
}
