import type { Statistics } from './statistics.ts';

/** A median with the tenth and ninetieth percentile in brackets. */
export function spread({ median, low, high }: Statistics): string {
  const digits = median < 10 ? 2 : 0;
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
