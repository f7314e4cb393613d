import type { Catalog, CatalogEntry } from '../../catalog/index.ts';
import type { Parameters } from './parameters.ts';
import { readLimit, readListFilters } from './readFilters.ts';

/** Returns an entry in JSON Feed 1.1. Its texts are the seller's, as plain text and never as HTML. */
function item(entry: CatalogEntry): object {
  const { listing, accepts, trust } = entry;
  const { resource, toolName, description, serviceName, tags, iconUrl } = listing;
  const named = toolName === undefined ? resource : `${resource} ${toolName}`;
  return {
    id: toolName === undefined ? resource : `${resource}#${toolName}`,
    // A URL template is not a link.
    ...(listing.templated || !/^https?:/.test(resource) ? {} : { url: resource }),
    title: serviceName ?? named,
    content_text: description ?? named,
    date_published: new Date(entry.createdAt).toISOString(),
    date_modified: new Date(entry.updatedAt).toISOString(),
    ...(tags.length === 0 ? {} : { tags }),
    ...(iconUrl === undefined ? {} : { image: iconUrl }),
    _x402: { type: listing.type, accepts, trust },
  };
}

/** `GET /discovery/feed.json`: the latest listings, as JSON Feed 1.1. Same filters as the list. */
export async function feed(catalog: Catalog, parameters: Parameters): Promise<object> {
  const limit = readLimit(parameters);
  const filters = readListFilters(parameters);
  const { entries } = await catalog.list(filters, { limit, offset: 0, order: 'newest' });
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Newly listed paid resources',
    description: 'Resources that entered the catalog by a settled payment. Texts are the sellers’.',
    items: entries.map(item),
  };
}
