import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoverySearch } from '../../../protocol/wire/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import { BadParameter, type Parameters } from './parameters.ts';
import { readLimit, readNarrowing, readSharedFilters } from './readFilters.ts';
import { unappliedFilters } from './unapplied.ts';
import { wireEntry } from './wireEntry.ts';

/** Longer texts are cut: the search reads a bounded number of terms anyway. */
const MAX_QUERY_LENGTH = 4_000;
const MAX_CURSOR_LENGTH = 2_000;

/** `GET /discovery/search`. A cursor is valid for the query and the filters it was returned for. */
export async function searchResources(
  catalog: Catalog,
  parameters: Parameters,
): Promise<DiscoverySearch> {
  const filters = readSharedFilters(parameters);
  const narrowing = readNarrowing(parameters);
  const limit = readLimit(parameters);
  const query = parameters.cutText('query', MAX_QUERY_LENGTH) ?? '';
  const cursor = parameters.text('cursor', MAX_CURSOR_LENGTH) ?? null;
  const answer = await catalog.search({ query, filters, narrowing, limit, cursor });
  if (answer.kind === 'refused') throw new BadParameter(answer.code);
  return {
    x402Version: X402_VERSION,
    resources: answer.hits.map(({ entry, match, moreBySeller }) => ({
      ...wireEntry(entry),
      ...(moreBySeller === 0 ? {} : { moreBySeller }),
      match: {
        words: match.words.map((one) => ({ ...one, in: [...one.in] })),
        nearness: match.nearness === null ? null : Math.round(match.nearness * 1_000) / 1_000,
        confidence: match.confidence,
      },
    })),
    partialResults: answer.partialResults,
    searchMethod: answer.semantic ? 'hybrid' : 'text',
    pagination: { limit, cursor: answer.cursor },
    ...unappliedFilters(parameters),
  };
}
