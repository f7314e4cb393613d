import type { Parameters } from './parameters.ts';

/** The member that tells of parameters without effect; left out when there are none. */
export function unappliedFilters(parameters: Parameters): { unappliedFilters?: string[] } {
  const names = parameters.unapplied();
  return names.length === 0 ? {} : { unappliedFilters: names };
}
