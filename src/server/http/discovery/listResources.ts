import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoveryList } from '../../../protocol/wire/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { Parameters } from './parameters.ts';
import { readLimit, readListFilters, readOffset, readOrder } from './readFilters.ts';
import { unappliedFilters } from './unapplied.ts';
import { wireEntry } from './wireEntry.ts';

/**
 * `GET /discovery/resources`: oldest first, so that new entries do not shift the pages, unless `order` is
 * given.
 */
export async function listResources(
  catalog: Catalog,
  parameters: Parameters,
): Promise<DiscoveryList> {
  const filters = readListFilters(parameters);
  const limit = readLimit(parameters);
  const offset = readOffset(parameters);
  const order = readOrder(parameters);
  const { entries, total } = await catalog.list(filters, { limit, offset, order });
  return {
    x402Version: X402_VERSION,
    items: entries.map(wireEntry),
    pagination: { limit, offset, total },
    ...unappliedFilters(parameters),
  };
}
