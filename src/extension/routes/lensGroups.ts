/** The place of a lens that offers a payment, and for how many routes. */
export interface LensGroup<R> {
  readonly first: R;
  readonly count: number;
}

/** Above this number, a lens for each route hides the code. */
const MAX_SINGLE = 10;
/** Routes that are at most so many lines apart are read as one list. */
const MAX_APART = 2;

/**
 * Returns where to offer payments for routes that have none: above each, or, in a file with many, above each list of them.
 * @param routes in the order of the file
 * @param lineOf the line of a route
 */
export function lensGroups<R>(
  routes: readonly R[],
  lineOf: (route: R) => number,
): readonly LensGroup<R>[] {
  if (routes.length <= MAX_SINGLE) return routes.map((first) => ({ first, count: 1 }));
  const groups: LensGroup<R>[] = [];
  for (const [index, route] of routes.entries()) {
    const before = routes[index - 1];
    const group = groups.at(-1);
    const isNear = before !== undefined && lineOf(route) - lineOf(before) <= MAX_APART;
    if (group !== undefined && isNear) {
      groups[groups.length - 1] = { first: group.first, count: group.count + 1 };
    } else groups.push({ first: route, count: 1 });
  }
  return groups;
}
