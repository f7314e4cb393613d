import type { ResourceKey } from '../../../protocol/index.ts';
import type { Listing } from '../declaration/listing.ts';

/** A listing's URL as a route of its origin. */
export interface RouteShape {
  readonly key: ResourceKey;
  /** Key of the URL, without a tool's name. */
  readonly urlKey: string;
  readonly origin: string;
  /** Segments as in the key: `:` for a parameter. */
  readonly segments: readonly string[];
}

function segmentsOf(urlKey: string, origin: string): readonly string[] {
  return urlKey === origin ? [] : urlKey.slice(origin.length + 1).split('/');
}

export function shapeOf({ key, origin }: Pick<Listing, 'key' | 'origin'>): RouteShape {
  const [urlKey = key] = key.split('#');
  return { key, urlKey, origin, segments: segmentsOf(urlKey, origin) };
}

const isParameter = (segment: string | undefined): boolean => segment === ':';

/** Whether two routes of an origin have a URL in common. */
export function overlap(a: RouteShape, otherUrlKey: string): boolean {
  const other = segmentsOf(otherUrlKey, a.origin);
  return (
    a.segments.length === other.length &&
    a.segments.every(
      (segment, at) =>
        isParameter(segment) ||
        isParameter(other[at]) ||
        segment.toLowerCase() === other[at]?.toLowerCase(),
    )
  );
}

export function isTemplated({ segments }: RouteShape): boolean {
  return segments.some(isParameter);
}
