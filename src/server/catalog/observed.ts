/** Settlements that this process observed, by key. Lost when the process ends (spec: trust block). */
export interface Observed {
  add(key: string): void;
  count(key: string): number;
}

export function createObserved(): Observed {
  const counts = new Map<string, number>();
  return {
    add: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    count: (key) => counts.get(key) ?? 0,
  };
}
