import type { ResourceKey, StellarAddress } from '../../../protocol/index.ts';
import type { JsonObject } from './jsonTree.ts';

/** A resource's description in the catalog: the seller's texts, sanitized. */
export interface Listing {
  readonly key: ResourceKey;
  readonly type: 'http' | 'mcp';
  /** Canonical URL, under its template if it has one. */
  readonly resource: string;
  readonly origin: string;
  /** Whether it is a URL template, which is never fetched (spec: Ingest sanitization). */
  readonly templated: boolean;
  readonly description?: string;
  readonly mimeType?: string;
  readonly serviceName?: string;
  readonly tags: readonly string[];
  readonly iconUrl?: string;
  /** HTTP method, if the declaration has one. */
  readonly method?: string;
  readonly toolName?: string;
  /** The echoed extensions of the challenge, within bounds, including `bazaar`. */
  readonly extensions: JsonObject;
}

/**
 * Returns a listing under its key for a recipient. `mcp://tool/<name>` does not name a server, and
 * upstream's examples all use it, so each recipient has its own tools there.
 */
export function listedFor(listing: Listing, payTo: StellarAddress | undefined): Listing {
  if (payTo === undefined || !listing.origin.startsWith('mcp:')) return listing;
  const [server = listing.key, tool] = listing.key.split('#');
  const key = `${server}@${payTo}${tool === undefined ? '' : `#${tool}`}` as ResourceKey;
  return { ...listing, key };
}
