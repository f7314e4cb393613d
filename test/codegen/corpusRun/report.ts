import type { Kept } from './formatting.ts';
import type { JudgedFile } from './judgeFile.ts';

/** What was counted, of one project or of all. */
export interface Counts {
  readonly found: number;
  readonly byFramework: Readonly<Record<string, number>>;
  /** Those that a payment was put before, or that were refused one. */
  readonly tried: number;
  readonly sold: number;
  /** By the code of the reason. */
  readonly refused: Readonly<Record<string, number>>;
  readonly parsed: number;
  readonly removed: number;
  /** TypeScript files with all their payments, and those of them without a new complaint. */
  readonly typed: number;
  readonly typedWell: number;
  /** Files that the formatter leaves alone, and those of them that it still does. */
  readonly formatted: number;
  readonly formattedStill: number;
}

export function countsOf(
  files: readonly JudgedFile[],
  typed: ReadonlyMap<string, readonly string[]>,
  kept: Kept | undefined,
): Counts {
  const routes = files.flatMap((file) => file.routes);
  const tried = routes.filter((route) => route.tried);
  const sold = tried.filter(({ refusal }) => refusal === undefined);
  return {
    found: routes.length,
    byFramework: tally(routes.map(({ route }) => route.framework)),
    tried: tried.length,
    sold: sold.length,
    refused: tally(tried.flatMap(({ refusal }) => refusal?.code ?? [])),
    parsed: sold.filter(({ parsed }) => parsed).length,
    removed: sold.filter(({ removed }) => removed).length,
    typed: typed.size,
    typedWell: [...typed.values()].filter(({ length }) => length === 0).length,
    formatted: kept?.clean ?? 0,
    formattedStill: kept ? kept.clean - kept.spoilt.length : 0,
  };
}

export function sum(all: readonly Counts[]): Counts {
  const total = (of: (counts: Counts) => number) => all.reduce((left, each) => left + of(each), 0);
  const merged = (of: (counts: Counts) => Readonly<Record<string, number>>) =>
    tally(
      all.flatMap((each) =>
        Object.entries(of(each)).flatMap(([name, count]) => Array<string>(count).fill(name)),
      ),
    );
  return {
    found: total(({ found }) => found),
    byFramework: merged(({ byFramework }) => byFramework),
    tried: total(({ tried }) => tried),
    sold: total(({ sold }) => sold),
    refused: merged(({ refused }) => refused),
    parsed: total(({ parsed }) => parsed),
    removed: total(({ removed }) => removed),
    typed: total(({ typed }) => typed),
    typedWell: total(({ typedWell }) => typedWell),
    formatted: total(({ formatted }) => formatted),
    formattedStill: total(({ formattedStill }) => formattedStill),
  };
}

/** The counts as a table of Markdown. */
export function table(
  rows: readonly { readonly project: string; readonly counts: Counts }[],
): string {
  return [
    '| Project | found | tried | sold | parsed | removed | typed | formatted | refused |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(({ project, counts }) => {
      const refused = Object.entries(counts.refused).map(([name, count]) => `${name} ${count}`);
      const cells = [
        project,
        counts.found,
        counts.tried,
        counts.sold,
        counts.parsed,
        counts.removed,
        `${counts.typedWell} of ${counts.typed}`,
        `${counts.formattedStill} of ${counts.formatted}`,
        refused.join(', '),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
