import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoveryResource } from '../../../protocol/wire/index.ts';
import type { CatalogEntry } from '../../catalog/index.ts';

/** An entry as the discovery endpoints write it (spec: Catalog entry). */
export function wireEntry(entry: CatalogEntry): DiscoveryResource {
  const { listing, accepts, trust, quality, updatedAt } = entry;
  const { protocols, ...given } = trust;
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
    ...(listing.type === 'mcp' ? discoveryInfo(listing.extensions) : {}),
    extensions: { ...listing.extensions },
    trust: { ...given, ...(protocols === undefined ? {} : { protocols: [...protocols] }) },
    ...(Object.keys(quality).length === 0 ? {} : { quality: { ...quality } }),
  };
}

/** The inputs and outputs that a tool's seller declared. */
function discoveryInfo(
  extensions: CatalogEntry['listing']['extensions'],
): Pick<DiscoveryResource, 'discoveryInfo'> {
  const { bazaar } = extensions;
  if (typeof bazaar !== 'object' || bazaar === null || !('info' in bazaar)) return {};
  const { info } = bazaar;
  if (typeof info !== 'object' || info === null || Array.isArray(info)) return {};
  return { discoveryInfo: { ...info } };
}
