import { createHash } from 'node:crypto';
import { requiredKeys } from './memory/filterIndex.ts';
import type { SearchFilters } from './searchDocument.ts';

/** The start of a page, and its ranking. */
export interface CursorPlace {
  /** Entries listed later are not part of the ranking. */
  readonly asOf: number;
  /** Number of results on earlier pages. */
  readonly offset: number;
  /** Whether the semantic stage took part; later pages do the same. */
  readonly semantic: boolean;
}

/** The query and filters for which a cursor is valid. */
export interface CursorBinding {
  readonly query: string;
  readonly filters: SearchFilters;
  /** Name of the condition that narrows the ranking. */
  readonly narrowing?: string | undefined;
}

export type ReadCursor =
  | { readonly kind: 'place'; readonly place: CursorPlace }
  | { readonly kind: 'refused'; readonly code: 'invalid_cursor' | 'cursor_filters_changed' };

const VERSION = 1;
const BINDING_BYTES = 12;
/** Version, flags, asOf (float64), offset (uint32), binding. */
const BYTES = 2 + 8 + 4 + BINDING_BYTES;
const MAX_OFFSET = 100_000;

/**
 * Writes an opaque base64url cursor. It contains its place and a digest of query and filters, so that it
 * needs no state of the service, works after a restart and on another instance, and is refused if the
 * filters changed between pages (spec: GET /discovery/search).
 */
export function writeCursor(place: CursorPlace, bound: CursorBinding): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(place.semantic ? 1 : 0, 1);
  bytes.writeDoubleBE(place.asOf, 2);
  bytes.writeUInt32BE(place.offset, 10);
  binding(bound).copy(bytes, 14);
  return bytes.toString('base64url');
}

export function readCursor(cursor: string, bound: CursorBinding): ReadCursor {
  const invalid = { kind: 'refused', code: 'invalid_cursor' } as const;
  const bytes = Buffer.from(cursor, 'base64url');
  // Node ignores characters that are not base64url: only text that it would write itself is accepted.
  if (bytes.length !== BYTES || bytes.toString('base64url') !== cursor) return invalid;
  const flags = bytes.readUInt8(1);
  const asOf = bytes.readDoubleBE(2);
  const offset = bytes.readUInt32BE(10);
  if (bytes.readUInt8(0) !== VERSION || flags > 1) return invalid;
  if (!Number.isSafeInteger(asOf) || asOf < 0 || offset === 0 || offset > MAX_OFFSET)
    return invalid;
  if (!bytes.subarray(14).equals(binding(bound))) {
    return { kind: 'refused', code: 'cursor_filters_changed' };
  }
  return { kind: 'place', place: { asOf, offset, semantic: flags === 1 } };
}

function binding({ query, filters, narrowing }: CursorBinding): Buffer {
  const text = JSON.stringify([
    query.trim(),
    requiredKeys(filters),
    ...(narrowing === undefined ? [] : [narrowing]),
  ]);
  return createHash('sha256').update(text).digest().subarray(0, BINDING_BYTES);
}
