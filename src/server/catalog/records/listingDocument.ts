import { isJsonObject } from '../declaration/jsonTree.ts';
import type { Listing } from '../declaration/listing.ts';

/** Serializes a listing for the store. */
export function writeListing(listing: Listing): string {
  return JSON.stringify(listing);
}

/**
 * Parses a listing from the store.
 * @throws SyntaxError if the stored text is not a listing
 */
export function readListing(document: string): Listing {
  const listing: unknown = JSON.parse(document);
  if (!isJsonObject(listing)) throw new SyntaxError('corrupt listing in the catalog');
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
