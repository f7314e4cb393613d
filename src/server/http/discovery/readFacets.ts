import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoveryFacets } from '../../../protocol/wire/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { Parameters } from './parameters.ts';
import { readListFilters } from './readFilters.ts';
import { unappliedFilters } from './unapplied.ts';

/** `GET /discovery/facets`: the number of matching entries for each type, asset and so on. */
export async function readFacets(
  catalog: Catalog,
  parameters: Parameters,
): Promise<DiscoveryFacets> {
  const { total, type, scheme, network, asset, ownerVerified } = await catalog.facets(
    readListFilters(parameters),
  );
  return {
    x402Version: X402_VERSION,
    total,
    type: [...type],
    scheme: [...scheme],
    network: [...network],
    asset: [...asset],
    ownerVerified,
    ...unappliedFilters(parameters),
  };
}
