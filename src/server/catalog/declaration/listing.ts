import type { ResourceKey } from '../../../protocol/index.ts';
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
