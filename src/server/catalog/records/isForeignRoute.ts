import type { StellarAddress } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import { ownersOf } from './origins.ts';
import { isTemplated, overlap, type RouteShape } from './routeShape.ts';

/** Maximum number of other recipients' routes at one origin to compare; with more, the new route is refused. */
const MAX_COMPARED = 2_000;

/**
 * Whether a free key conflicts with another recipient:
 *
 * 1. it is at the URL of one of the other's tools;
 * 2. it is at an origin whose own challenges name others and not this recipient;
 * 3. it is a template that matches URLs of others: a template must not include another's URL;
 * 4. it is below a template of another recipient that the origin's challenges name. An unverified
 *    template binds only its own URL: otherwise five payments to oneself would close an origin.
 */
export async function isForeignRoute(
  within: Queryable,
  shape: RouteShape,
  payTo: StellarAddress,
  now: number,
): Promise<boolean> {
  const [sameUrl] = await within.all(
    'SELECT 1 AS found FROM catalog_entries WHERE url_key = ? AND pay_to <> ? LIMIT 1',
    [shape.urlKey, payTo],
  );
  if (sameUrl !== undefined) return true;
  const { own, others: owners } = await ownersOf(within, shape.origin, payTo, now);
  if (owners.length > 0 && !own) return true;
  const templated = isTemplated(shape);
  const others = await within.all<{ url_key: string; pay_to: string }>(
    `SELECT url_key, pay_to FROM catalog_entries
     WHERE origin = ? AND depth = ? AND templated >= ? AND pay_to <> ? LIMIT ?`,
    [shape.origin, shape.segments.length, templated ? 0 : 1, payTo, MAX_COMPARED],
  );
  if (templated && others.length === MAX_COMPARED) return true;
  return others.some(
    ({ url_key, pay_to }) => (templated || owners.includes(pay_to)) && overlap(shape, url_key),
  );
}
