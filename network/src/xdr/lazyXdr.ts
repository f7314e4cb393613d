import { decodeXdr, type XdrClass } from './decodeXdr.ts';
import { knownXdr, rememberXdr } from './wireEncoder.ts';
import type { WireSchema } from './wireSchema.ts';

/** An SDK class of a structure. */
type StructClass<T extends object> = XdrClass<T> & { readonly prototype: T };

const prototypes = new WeakMap<object, object>();
const decoded = new WeakMap<object, object>();

/**
 * A structure of which only the XDR is available: it is decoded when a field is read, and written unchanged. The bytes must be
 * canonical and must not change.
 */
export function lazyXdr<T extends object>(type: StructClass<T>, bytes: Uint8Array): T {
  let prototype = prototypes.get(type);
  if (prototype === undefined) {
    prototype = readingPrototype(type);
    prototypes.set(type, prototype);
  }
  const value = Object.create(prototype) as T;
  rememberXdr(value, bytes);
  return value;
}

/** An object with a getter for each field of the type. */
function readingPrototype<T extends object>(type: StructClass<T>): object {
  const schema = type.schema as WireSchema;
  if (schema.kind !== 'struct') throw new TypeError('only structures can be decoded lazily');
  const prototype: object = Object.create(type.prototype);
  for (const [name] of schema.entries) {
    Object.defineProperty(prototype, name, {
      get(this: object) {
        return Reflect.get(whole(type, this), name) as unknown;
      },
    });
  }
  return prototype;
}

function whole<T extends object>(type: StructClass<T>, value: object): object {
  let found = decoded.get(value);
  if (found === undefined) {
    const bytes = knownXdr(value);
    if (bytes === undefined) throw new TypeError('the XDR of a lazily decoded value is missing');
    found = decodeXdr(type, bytes);
    decoded.set(value, found);
  }
  return found;
}
