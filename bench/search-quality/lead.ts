import { Random } from '../../test/helpers/random.ts';
import { mean, ndcg } from '../../test/support/rankingQuality.ts';
import type { JudgedQuery } from './judgedSet.ts';
import type { Rankings } from './quality.ts';

/** How far the fused ranking is above its better stage, by nDCG@10, and where the difference lies by chance. */
export interface Lead {
  readonly stage: 'lexical' | 'semantic';
  readonly difference: number;
  /** Of the resampled differences, 2.5 % are below `low` and 2.5 % above `high`. */
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;
const SEED = 1;

/**
 * Returns the lead of the fused ranking for each kind of query, with a paired bootstrap. Queries that ask for the same
 * entries are drawn together: ten requests for one API say little more than one.
 */
export function leads(
  queries: readonly JudgedQuery[],
  rankings: Rankings,
): Readonly<Record<string, Lead>> {
  const rated = queries.map((query, n) => {
    const of = (name: string) => ndcg(rankings[name]?.[n] ?? [], query.grades, 10);
    return { query, lexical: of('lexical'), semantic: of('semantic'), fused: of('fused') };
  });
  const kinds = [...new Set(queries.flatMap((query) => query.kinds))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const members = rated.filter(({ query }) => query.kinds.includes(kind));
      const lexical = mean(members.map((one) => one.lexical));
      const semantic = mean(members.map((one) => one.semantic));
      const stage = lexical > semantic ? 'lexical' : 'semantic';
      const groups = new Map<string, number[]>();
      for (const one of members) {
        const answers = Object.keys(one.query.grades).sort().join(' ');
        groups.set(answers, [...(groups.get(answers) ?? []), one.fused - one[stage]]);
      }
      const sums = [...groups.values()].map((differences) => ({
        sum: differences.reduce((total, one) => total + one, 0),
        count: differences.length,
      }));
      const difference = mean(members.map((one) => one.fused - one[stage]));
      return [kind, { stage, difference, ...interval(sums) }];
    }),
  );
}

function interval(
  groups: readonly { readonly sum: number; readonly count: number }[],
): Pick<Lead, 'low' | 'high'> {
  const random = new Random(SEED);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    let count = 0;
    for (let n = 0; n < groups.length; n += 1) {
      const group = random.pick(groups);
      sum += group.sum;
      count += group.count;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  const at = (share: number) => means[Math.floor(share * (RESAMPLES - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}
