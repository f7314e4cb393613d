import type { StellarAddress } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import { isTemplated, overlap, type RouteShape } from './routeShape.ts';

/** Routes of other recipients at one origin that are looked at; with more, the new one is refused. */
const MAX_COMPARED = 2_000;

/**
 * Whether a free key lies where another recipient already is: at the URL of one of its tools, under
 * a template of its own, or across URLs of its own. Otherwise whoever is paid for a made-up path of
 * somebody's route could stand beside it in the catalog.
 */
export async function isForeignRoute(
  within: Queryable,
  shape: RouteShape,
  payTo: StellarAddress,
): Promise<boolean> {
  const [sameUrl] = await within.all(
    'SELECT 1 AS found FROM catalog_entries WHERE url_key = ? AND pay_to <> ? LIMIT 1',
    [shape.urlKey, payTo],
  );
  if (sameUrl !== undefined) return true;
  const others = await within.all<{ url_key: string }>(
    `SELECT url_key FROM catalog_entries
     WHERE origin = ? AND depth = ? AND templated >= ? AND pay_to <> ? LIMIT ?`,
    [shape.origin, shape.segments.length, isTemplated(shape) ? 0 : 1, payTo, MAX_COMPARED],
  );
  return others.length === MAX_COMPARED || others.some(({ url_key }) => overlap(shape, url_key));
}
