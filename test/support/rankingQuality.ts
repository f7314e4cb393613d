type Grades = Readonly<Record<string, number>>;

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Normalised discounted cumulative gain of the first `depth`, with gains of 2^grade − 1. */
export function ndcg(ranked: readonly string[], grades: Grades, depth: number): number {
  const gain = (all: readonly number[]) =>
    all.slice(0, depth).reduce((sum, grade, n) => sum + (2 ** grade - 1) / Math.log2(n + 2), 0);
  const best = Object.values(grades).sort((a, b) => b - a);
  return gain(ranked.map((id) => grades[id] ?? 0)) / gain(best);
}

/** One by the rank of the first that answers well (of grade `good` or more); 0 without one. */
export function reciprocalRank(ranked: readonly string[], grades: Grades, good: number): number {
  const first = ranked.findIndex((id) => (grades[id] ?? 0) >= good);
  return first < 0 ? 0 : 1 / (first + 1);
}

/** The share of all that answer, of any grade, among the first `depth`. */
export function recall(ranked: readonly string[], grades: Grades, depth: number): number {
  const wanted = Object.keys(grades);
  const first = new Set(ranked.slice(0, depth));
  return wanted.filter((id) => first.has(id)).length / wanted.length;
}
