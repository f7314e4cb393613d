import { isJsonObject } from '../declaration/jsonTree.ts';
import type { Listing } from '../declaration/listing.ts';

/** Writes a listing as it is kept. */
export function writeListing(listing: Listing): string {
  return JSON.stringify(listing);
}

/**
 * Reads a listing back as it was kept.
 * @throws SyntaxError when the store holds something else
 */
export function readListing(document: string): Listing {
  const listing: unknown = JSON.parse(document);
  if (!isJsonObject(listing)) throw new SyntaxError('the catalog holds a listing that is none');
  return listing as unknown as Listing;
}

/**
 * The names of a listing's extensions as one text, each between bars, so that one can be looked for.
 * A name that holds a bar is left out of it.
 */
export function extensionNames(listing: Listing): string {
  const names = Object.keys(listing.extensions).filter((name) => !name.includes('|'));
  return `|${names.join('|')}|`;
}
