/** The parts of DER (ITU-T X.690) that certificates are made of. */

const SEQUENCE = 0x30;
const FIRST_YEAR_WITHOUT_UTC_TIME = 2050;
const SHORT_LENGTHS = 0x80;

/** A value with its tag and length. */
export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag), lengthOf(content.length), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(SEQUENCE, ...parts);

export const setOf = (part: Uint8Array): Buffer => tagged(0x31, part);

export const TRUE = tagged(0x01, Uint8Array.of(0xff));

/** @param bytes big-endian; the highest bit of the first is not set, and it is not zero before another such */
export const integer = (...bytes: readonly number[]): Buffer =>
  tagged(0x02, Uint8Array.from(bytes));

export const octets = (content: Uint8Array): Buffer => tagged(0x04, content);

/** @param unused how many bits of the last byte do not count */
export const bits = (content: Uint8Array, unused = 0): Buffer =>
  tagged(0x03, Uint8Array.of(unused), content);

/** Letters, digits, spaces and little else. */
export const printable = (value: string): Buffer => tagged(0x13, Buffer.from(value, 'latin1'));

/** @param dotted whose first number is 0 or 1, or 2 with a second one below 48 */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Uint8Array.from([40 * first + second, ...rest.flatMap(base128)]));
}

/** A moment, to the second, in the form that its year asks for (RFC 5280 section 4.1.2.5). */
export function time(moment: Date): Buffer {
  const letters = `${moment.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return moment.getUTCFullYear() < FIRST_YEAR_WITHOUT_UTC_TIME
    ? tagged(0x17, Buffer.from(letters.slice(2)))
    : tagged(0x18, Buffer.from(letters));
}

/** The values that follow each other in the content of another, each with its tag and length. */
export function partsOf(value: Uint8Array): Buffer[] {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const parts: Buffer[] = [];
  for (let at = contentAt(bytes, 0).start; at < bytes.length; ) {
    const { end } = contentAt(bytes, at);
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return parts;
}

function contentAt(bytes: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = bytes.readUInt8(at + 1);
  if (first < SHORT_LENGTHS) return { start: at + 2, end: at + 2 + first };
  const count = first - SHORT_LENGTHS;
  const start = at + 2 + count;
  return { start, end: start + bytes.readUIntBE(at + 2, count) };
}

function lengthOf(length: number): Uint8Array {
  if (length < SHORT_LENGTHS) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Uint8Array.of(SHORT_LENGTHS + bytes.length, ...bytes);
}

/** Seven bits a byte, the highest first; all but the last say that more follows. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
