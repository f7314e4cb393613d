import type { UnionSchema, WireSchema } from './wireSchema.ts';

/** Returns the end of the value that begins at `at`. @throws RangeError if the bytes are not such a value */
export type XdrSkipper = (view: DataView, at: number) => number;

const UNIT = 4;
const skippers = new WeakMap<WireSchema, XdrSkipper>();

/** The skipper of a schema, created when first requested. */
export function skipperOf(schema: WireSchema): XdrSkipper {
  let skipper = skippers.get(schema);
  if (skipper === undefined) {
    skipper = makeSkipper(schema);
    skippers.set(schema, skipper);
  }
  return skipper;
}

function makeSkipper(schema: WireSchema): XdrSkipper {
  switch (schema.kind) {
    case 'struct':
      return structSkipper(schema.entries.map(([, field]) => field));
    case 'union':
      return unionSkipper(schema);
    case 'array':
      return arraySkipper(schema.element, schema.maxLength);
    case 'fixedArray':
      return structSkipper(new Array<WireSchema>(schema.length).fill(schema.element));
    case 'option':
      return optionSkipper(schema.element);
    case 'opaque':
      return fixedSkipper(padded(schema.length));
    case 'varOpaque':
    case 'string':
      return bytesSkipper(schema.maxLength);
    case 'lazy':
      return (view, at) => skipperOf(schema.getSchema())(view, at);
    case 'enum':
      return enumSkipper(schema.nameByValue);
    case 'bool':
      return boolSkipper;
    case 'int32':
    case 'uint32':
      return fixedSkipper(UNIT);
    case 'int64':
    case 'uint64':
      return fixedSkipper(2 * UNIT);
    case 'void':
      return (_view, at) => at;
  }
}

function structSkipper(fields: readonly WireSchema[]): XdrSkipper {
  const skips = fields.map(skipperOf);
  return (view, at) => {
    let end = at;
    for (const skip of skips) end = skip(view, end);
    return end;
  };
}

function unionSkipper({ name, switchOn, cases }: UnionSchema): XdrSkipper {
  const skipSwitch = skipperOf(switchOn);
  const arms = new Map<number, XdrSkipper | undefined>();
  for (const { discriminant, arm } of cases) {
    arms.set(Number(discriminant), arm.kind === 'field' ? skipperOf(arm.schema) : undefined);
  }
  return (view, at) => {
    const body = skipSwitch(view, at);
    const discriminant = view.getInt32(at);
    const skip = arms.get(discriminant);
    if (skip !== undefined) return skip(view, body);
    if (arms.has(discriminant)) return body;
    throw new RangeError(`${name} has no case ${discriminant}`);
  };
}

function arraySkipper(element: WireSchema, maxLength: number): XdrSkipper {
  const skip = skipperOf(element);
  return (view, at) => {
    const length = view.getUint32(at);
    if (length > maxLength)
      throw new RangeError(`length ${length} exceeds the maximum of ${maxLength}`);
    let end = at + UNIT;
    for (let n = 0; n < length; n += 1) end = skip(view, end);
    return end;
  };
}

function optionSkipper(element: WireSchema): XdrSkipper {
  const skip = skipperOf(element);
  return (view, at) => {
    const end = boolSkipper(view, at);
    return view.getUint32(at) === 0 ? end : skip(view, end);
  };
}

function bytesSkipper(maxLength: number): XdrSkipper {
  return (view, at) => {
    const length = view.getUint32(at);
    if (length > maxLength)
      throw new RangeError(`length ${length} exceeds the maximum of ${maxLength}`);
    return within(view, at + UNIT + padded(length));
  };
}

function fixedSkipper(size: number): XdrSkipper {
  return (view, at) => within(view, at + size);
}

function enumSkipper(names: ReadonlyMap<number, string>): XdrSkipper {
  return (view, at) => {
    const value = view.getInt32(at);
    if (!names.has(value)) throw new RangeError(`${value} is not a value of the enum`);
    return at + UNIT;
  };
}

function boolSkipper(view: DataView, at: number): number {
  const value = view.getUint32(at);
  if (value > 1) throw new RangeError(`${value} is neither true nor false`);
  return at + UNIT;
}

function within(view: DataView, end: number): number {
  if (end > view.byteLength) throw new RangeError('the bytes end too early');
  return end;
}

/** Avoids bit operations, which would make lengths of 2 GiB and more negative. */
function padded(length: number): number {
  return length + ((UNIT - (length % UNIT)) % UNIT);
}
