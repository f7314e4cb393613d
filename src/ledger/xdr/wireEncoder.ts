import type { UnionSchema, WireSchema, WireValue } from './wireSchema.ts';
import type { XdrWriter } from './xdrWriter.ts';

/** Writes a value of one schema. That the value has the schema's shape is its class's promise. */
export type WireEncoder = (value: WireValue, out: XdrWriter) => void;

const encoders = new WeakMap<WireSchema, WireEncoder>();

/** The encoder of a schema, made when it is first asked for. */
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
      return structEncoder(schema.entries);
    case 'union':
      return unionEncoder(schema);
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
      return (value, out) => out.int64(value as bigint);
    case 'uint64':
      return (value, out) => out.uint64(value as bigint);
    case 'void':
      return () => {};
  }
}

type Fields = Readonly<Record<string, WireValue>>;

function structEncoder(entries: readonly (readonly [string, WireSchema])[]): WireEncoder {
  const fields = entries.map(([name, schema]) => ({ name, encode: encoderOf(schema) }));
  return (value, out) => {
    for (const { name, encode } of fields) encode((value as Fields)[name] as WireValue, out);
  };
}

function unionEncoder({ name, switchOn, switchKey, cases }: UnionSchema): WireEncoder {
  const encodeSwitch = encoderOf(switchOn);
  const arms = new Map(
    cases.map(({ discriminant, arm }) => [
      discriminant,
      arm.kind === 'field' ? { field: arm.name, encode: encoderOf(arm.schema) } : null,
    ]),
  );
  return (value, out) => {
    const discriminant = (value as Fields)[switchKey] as number | boolean;
    const arm = arms.get(discriminant);
    if (arm === undefined) throw new RangeError(`${name} has no case ${String(discriminant)}`);
    encodeSwitch(discriminant, out);
    if (arm !== null) arm.encode((value as Fields)[arm.field] as WireValue, out);
  };
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
    const bytes = value as Uint8Array;
    if (bytes.length !== length) throw wrongLength(bytes.length, length);
    out.opaque(bytes);
  };
}

/** Texts come as objects around their bytes. */
function bytesEncoder(maxLength: number): WireEncoder {
  return (value, out) => {
    const bytes =
      value instanceof Uint8Array ? value : (value as { readonly bytes: Uint8Array }).bytes;
    if (bytes.length > maxLength) throw tooLong(bytes.length, maxLength);
    out.uint32(bytes.length);
    out.opaque(bytes);
  };
}

function enumEncoder(names: ReadonlyMap<number, string>): WireEncoder {
  return (value, out) => {
    if (!names.has(value as number)) throw new RangeError(`${String(value)} is no value of it`);
    out.int32(value as number);
  };
}

function tooLong(length: number, maxLength: number): RangeError {
  return new RangeError(`${length} are more than ${maxLength}`);
}

function wrongLength(length: number, expected: number): RangeError {
  return new RangeError(`${length} are not ${expected}`);
}
