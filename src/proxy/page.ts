import type { Served } from '../seller/index.ts';
import type { StoredBody } from './spool.ts';

/** What is left of a response that is passed on while it arrives. */
export interface Rest {
  /** The pieces after those of `body`. */
  readonly pieces: AsyncIterator<Buffer>;
  /** The trailers, once the last piece was read. */
  trailers(): readonly string[];
  /** Ends the connection to the upstream. */
  destroy(): void;
}

/** A response of the upstream, or the proxy's own in its place. */
export interface Page extends Served {
  readonly status: number;
  /** Name and value in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** What was read: all of it without `rest`. */
  readonly body: Pick<StoredBody, 'bytes' | 'file' | 'length'> | undefined;
  readonly rest: Rest | undefined;
  /** Why it is not the upstream's, or why the upstream's is not sold; for the log. */
  readonly problem?: string;
}

/** Returns the headers by lower-case name; several values are joined. */
export function headersOf(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs(rawHeaders)) {
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/** Returns names and values of a raw list. */
export function pairs(rawHeaders: readonly string[]): readonly (readonly [string, string])[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  );
}
