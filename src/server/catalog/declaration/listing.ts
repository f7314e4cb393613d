import type { ResourceKey, StellarAddress } from '../../../protocol/index.ts';
import type { JsonObject } from './jsonTree.ts';

/** What the catalog says of a resource: the seller's words, sanitized. */
export interface Listing {
  readonly key: ResourceKey;
  readonly type: 'http' | 'mcp';
  /** Canonical URL, under its template if it has one. */
  readonly resource: string;
  readonly origin: string;
  /** A shape of URLs: it is never fetched (spec: Ingest sanitization). */
  readonly templated: boolean;
  readonly description?: string;
  readonly mimeType?: string;
  readonly serviceName?: string;
  readonly tags: readonly string[];
  readonly iconUrl?: string;
  /** HTTP method, if the declaration has one. */
  readonly method?: string;
  readonly toolName?: string;
  /** The extensions of the challenge as they were echoed, within bounds; `bazaar` is among them. */
  readonly extensions: JsonObject;
}

/**
 * A listing under the key that it has for a recipient. `mcp://tool/<name>` names no server, and
 * upstream's examples all use it: each recipient has tools of its own there.
 */
export function listedFor(listing: Listing, payTo: StellarAddress | undefined): Listing {
  if (payTo === undefined || !listing.origin.startsWith('mcp:')) return listing;
  const [server = listing.key, tool] = listing.key.split('#');
  const key = `${server}@${payTo}${tool === undefined ? '' : `#${tool}`}` as ResourceKey;
  return { ...listing, key };
}
