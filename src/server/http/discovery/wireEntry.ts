import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoveryResource } from '../../../protocol/wire/index.ts';
import type { CatalogEntry } from '../../catalog/index.ts';

/** An entry as the discovery endpoints write it (spec: Catalog entry). */
export function wireEntry({ listing, accepts, trust, updatedAt }: CatalogEntry): DiscoveryResource {
  const { description, mimeType, serviceName, tags, iconUrl, method, toolName } = listing;
  return {
    resource: listing.resource,
    type: listing.type,
    x402Version: X402_VERSION,
    accepts: accepts.map((option) => ({ ...option })),
    lastUpdated: new Date(updatedAt).toISOString(),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(serviceName === undefined ? {} : { serviceName }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
    ...(method === undefined ? {} : { method }),
    ...(toolName === undefined ? {} : { toolName }),
    extensions: { ...listing.extensions },
    trust: { ...trust },
  };
}
