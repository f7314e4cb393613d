import { decodeXdr, type XdrClass } from './decodeXdr.ts';
import { knownXdr, rememberXdr } from './wireEncoder.ts';
import type { WireSchema } from './wireSchema.ts';

/** A class of the SDK's that is a structure. */
type StructClass<T extends object> = XdrClass<T> & { readonly prototype: T };

const prototypes = new WeakMap<object, object>();
const decoded = new WeakMap<object, object>();

/**
 * A structure of which only the XDR is at hand: it is decoded when somebody reads a field, and written as it came. The caller
 * vouches that the bytes are canonical, and changes them no more.
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

/** An object that has a getter for each field of the type. */
function readingPrototype<T extends object>(type: StructClass<T>): object {
  const schema = type.schema as WireSchema;
  if (schema.kind !== 'struct') throw new TypeError('only structures can be decoded later');
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
    if (bytes === undefined) throw new TypeError('a value to be decoded later has its XDR');
    found = decodeXdr(type, bytes);
    decoded.set(value, found);
  }
  return found;
}
