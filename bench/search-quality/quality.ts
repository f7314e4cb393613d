import { mean, ndcg, recall, reciprocalRank } from '../../test/support/rankingQuality.ts';
import type { JudgedQuery } from './judgedSet.ts';

export interface Quality {
  readonly ndcg10: number;
  readonly mrr: number;
  readonly recall20: number;
}

/** The figures of each ranker: over all queries, by kind, and as the mean of the kinds. */
export interface Report {
  readonly all: Readonly<Record<string, Quality>>;
  readonly kinds: Readonly<Record<string, Readonly<Record<string, Quality>>>>;
  readonly macro: Readonly<Record<string, Quality>>;
}

/** For each ranker, by name: the ids that it returns for each query, best first. */
export type Rankings = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * Rates rankings by the judgements.
 *
 * @param good the lowest grade that counts for the reciprocal rank
 */
export function rate(queries: readonly JudgedQuery[], rankings: Rankings, good: number): Report {
  const over = (members: readonly number[]): Record<string, Quality> =>
    Object.fromEntries(
      Object.entries(rankings).map(([name, ranked]) => {
        const of = (figure: (ids: readonly string[], query: JudgedQuery) => number) =>
          mean(
            members.flatMap((n) => {
              const query = queries[n];
              return query ? [figure(ranked[n] ?? [], query)] : [];
            }),
          );
        return [
          name,
          {
            ndcg10: of((ids, { grades }) => ndcg(ids, grades, 10)),
            mrr: of((ids, { grades }) => reciprocalRank(ids, grades, good)),
            recall20: of((ids, { grades }) => recall(ids, grades, 20)),
          },
        ];
      }),
    );
  const membersOf = new Map<string, number[]>();
  queries.forEach(({ kinds }, n) => {
    for (const kind of kinds) membersOf.set(kind, [...(membersOf.get(kind) ?? []), n]);
  });
  const kinds = Object.fromEntries([...membersOf].map(([kind, members]) => [kind, over(members)]));
  const across = (name: string, figure: keyof Quality) =>
    mean(Object.values(kinds).map((of) => of[name]?.[figure] ?? 0));
  const macro = Object.fromEntries(
    Object.keys(rankings).map((name) => [
      name,
      {
        ndcg10: across(name, 'ndcg10'),
        mrr: across(name, 'mrr'),
        recall20: across(name, 'recall20'),
      },
    ]),
  );
  return { all: over(queries.map((_, n) => n)), kinds, macro };
}

/** A smaller difference is one query's answer moving by one place, in a group of a hundred. */
const WITHIN_CHANCE = 0.005;

/** One sentence for each case where the fused ranking is worse than one of its stages, by nDCG@10. */
export function fusedWorse({ all, kinds }: Report): string[] {
  return Object.entries({ all, ...kinds }).flatMap(([kind, { fused, lexical, semantic }]) => {
    if (!fused || !lexical || !semantic) return [];
    const [stage, best] =
      lexical.ndcg10 > semantic.ndcg10
        ? ['lexical', lexical.ndcg10]
        : ['semantic', semantic.ndcg10];
    return fused.ndcg10 >= best - WITHIN_CHANCE
      ? []
      : [`${kind}: fused ${fused.ndcg10.toFixed(3)} is below ${stage} ${best.toFixed(3)}`];
  });
}
