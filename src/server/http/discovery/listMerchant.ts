import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoveryMerchant } from '../../../protocol/wire/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import { BadParameter, type Parameters } from './parameters.ts';
import { readLimit, readListFilters, readOffset, readOrder } from './readFilters.ts';
import { unappliedFilters } from './unapplied.ts';
import { wireEntry } from './wireEntry.ts';

/** `GET /discovery/merchant?payTo=`: the resources of one recipient. Our addition; hosted peers have it too. */
export async function listMerchant(
  catalog: Catalog,
  parameters: Parameters,
): Promise<DiscoveryMerchant> {
  const { payTo, ...filters } = readListFilters(parameters);
  if (payTo === undefined) throw new BadParameter('invalid_parameter', 'payTo is missing');
  const limit = readLimit(parameters);
  const offset = readOffset(parameters);
  const page = { limit, offset, order: readOrder(parameters) };
  const { entries, total } = await catalog.list({ ...filters, payTo }, page);
  return {
    x402Version: X402_VERSION,
    payTo,
    resources: entries.map(wireEntry),
    pagination: { limit, offset, total },
    ...unappliedFilters(parameters),
  };
}
