import { isJsonObject, type JsonObject } from '../declaration/jsonTree.ts';
import type { Listing } from '../declaration/listing.ts';

/** Serializes a listing for the store. */
export function writeListing(listing: Listing): string {
  return JSON.stringify(listing);
}

/** A stored row that this version cannot read. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrMissing = (value: unknown): boolean => value === undefined || isText(value);
const OPTIONAL_TEXTS = [
  'description',
  'mimeType',
  'serviceName',
  'iconUrl',
  'method',
  'toolName',
] as const;

/** Parses a JSON object from the store. @throws DamagedRow */
export function readStoredObject(text: string, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedRow(`${what} is not JSON`);
  }
  if (!isJsonObject(value)) throw new DamagedRow(`${what} is not an object`);
  return value;
}

/**
 * Parses an entry's listing from the store.
 * @throws DamagedRow if the stored text is not the listing of this key
 */
export function readListing(document: string, key: string): Listing {
  const listing = readStoredObject(document, 'the document');
  if (listing['key'] !== key) throw new DamagedRow('the document has another key');
  const { type, tags, extensions, resource, origin, templated } = listing;
  const isWhole =
    (type === 'http' || type === 'mcp') &&
    isText(resource) &&
    isText(origin) &&
    typeof templated === 'boolean' &&
    Array.isArray(tags) &&
    tags.every(isText) &&
    isJsonObject(extensions) &&
    OPTIONAL_TEXTS.every((name) => isTextOrMissing(listing[name]));
  if (!isWhole) throw new DamagedRow('the document lacks members of a listing');
  return listing as unknown as Listing;
}

/**
 * Returns the names of a listing's extensions as one text, each between bars, so that it can be searched.
 * A name that contains a bar is left out.
 */
export function extensionNames(listing: Listing): string {
  const names = Object.keys(listing.extensions).filter((name) => !name.includes('|'));
  return `|${names.join('|')}|`;
}
