import type { Parameters } from './parameters.ts';

/** Returns the member that lists parameters without effect; left out if there are none. */
export function unappliedFilters(parameters: Parameters): { unappliedFilters?: string[] } {
  const names = parameters.unapplied();
  return names.length === 0 ? {} : { unappliedFilters: names };
}
