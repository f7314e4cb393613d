/** Reading what a handler gives to the methods of a response of `node:http`. */

/** Headers of a response: a name in small letters for each value, in order. */
export type WrittenHeaders = readonly (readonly [name: string, value: string])[];

function pairsIn(args: readonly unknown[]): readonly (readonly [string, unknown])[] {
  const given = args.find((arg, at) => at > 0 && typeof arg === 'object' && arg !== null);
  if (!Array.isArray(given)) return Object.entries({ ...(given as object | undefined) });
  const list: readonly unknown[] = given;
  if (list.some(Array.isArray)) return list as readonly (readonly [string, unknown])[];
  return list.flatMap((name, at) => (at % 2 === 0 ? [[String(name), list[at + 1]] as const] : []));
}

/**
 * Returns the headers of a response.
 * @param set those that `getHeaders` returns
 * @param args what is given to `writeHead`, whose headers replace the set ones of the same name, whatever its letter case
 */
export function headersWritten(
  set: Readonly<Record<string, unknown>>,
  args: readonly unknown[],
): WrittenHeaders {
  const named = new Map<string, readonly unknown[]>();
  const add = (into: Map<string, readonly unknown[]>, name: string, value: unknown): void => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    into.set(name.toLowerCase(), [...(into.get(name.toLowerCase()) ?? []), ...values]);
  };
  for (const [name, value] of Object.entries(set)) add(named, name, value);
  const more = new Map<string, readonly unknown[]>();
  for (const [name, value] of pairsIn(args)) add(more, name, value);
  return [...new Map([...named, ...more])].flatMap(([name, values]) =>
    values.filter((one) => one !== undefined).map((one) => [name, String(one)] as const),
  );
}

/**
 * Returns the bytes that are given to `write` or `end`, as a copy: the caller may use its own buffer again.
 * @param args a piece and the encoding of a text, UTF-8 if there is none
 */
export function bytesWritten([piece, encoding]: readonly unknown[]): Uint8Array {
  if (piece instanceof Uint8Array) return Uint8Array.from(piece);
  if (typeof piece !== 'string') return new Uint8Array();
  return Buffer.from(piece, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}
