import { decoderOfClass, type ValueDecoder } from './valueDecoder.ts';
import { XdrInput } from './xdrInput.ts';

/** An SDK class: a structure, or the base of a union. */
export interface XdrClass<T> {
  readonly schema: object;
  fromXdrObject(wire: never): T;
}

interface ReadingClass<T> {
  fromXdr(bytes: Uint8Array): T;
}

const decoders = new WeakMap<object, ValueDecoder | null>();

/**
 * Reads a value of one type: the same value as `type.fromXdr(bytes)`, in a fraction of the time. The SDK first reads plain
 * objects, with the path of each field as text, and then creates its own objects from them.
 *
 * @throws RangeError, or the SDK's XdrError, if the bytes are not exactly one value of the type
 */
export function decodeXdr<T>(type: XdrClass<T>, bytes: Uint8Array): T {
  let decode = decoders.get(type);
  if (decode === undefined) {
    decode = decoderOfClass(type) ?? null;
    decoders.set(type, decode);
  }
  if (decode === null) return (type as unknown as ReadingClass<T>).fromXdr(bytes);
  const input = new XdrInput(bytes);
  const value = decode(input);
  input.end();
  return value as T;
}
