import { figure, labelledRows } from '../report/figures.ts';
import { type PrintedTable, readOutput } from '../report/readOutput.ts';
import { statistics } from '../statistics.ts';

/** The output of one commit in each of its rounds: figures by row and column. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** A row that both commits printed. */
export interface Compared {
  readonly row: string;
  /** Medians over the rounds. */
  readonly before: number;
  readonly after: number;
  /** `after` divided by `before`. */
  readonly ratio: number;
  readonly verdict: 'worse' | 'better' | 'alike';
}

/** Relative difference above which a row counts as better or worse. */
const TENTH = 0.1;
/** Rows in which more is better. */
const WORK = /\ba second\b|nDCG|MRR|recall/;
/** Rows that describe the run, where neither more nor less is better. */
const DESCRIBES = /^in each ledger$/;

/** Reads the figures from a bench's output of several rounds. */
export function readRounds(outputs: readonly string[]): Figures {
  const figures = new Map<string, number[]>();
  for (const output of outputs) {
    for (const [row, value] of figuresOf(output)) {
      figures.set(row, [...(figures.get(row) ?? []), value]);
    }
  }
  return figures;
}

/** The figures of one round. A row that an earlier table has too gets a number. */
function figuresOf(output: string): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const printed of readOutput(output)) {
    if (printed.kind !== 'table') continue;
    for (const [row, value] of figuresIn(printed)) {
      let name = row;
      for (let copy = 2; figures.has(name); copy += 1) name = `${row} (${copy})`;
      figures.set(name, value);
    }
  }
  return figures;
}

function figuresIn(printed: PrintedTable): [string, number][] {
  const [, ...headers] = printed.header;
  const columns = headers.map((header, at) =>
    headers.indexOf(header) === headers.lastIndexOf(header)
      ? header
      : `${headers[at - 1] ?? ''}, ${header}`,
  );
  const rows = labelledRows(printed, () => true);
  const labels = rows.map(({ label }) => label);
  return rows.flatMap(({ label, cells }) => {
    const unique = labels.indexOf(label) === labels.lastIndexOf(label);
    const name = unique ? label : `${label}, ${cells[0] ?? ''}`;
    return cells.flatMap((cell, at): [string, number][] => {
      const value = figure(cell);
      if (value === undefined) return [];
      return [[columns.length === 1 ? name : `${name} [${columns[at] ?? ''}]`, value]];
    });
  });
}

/** Compares the rows that both commits printed, by their medians. */
export function compare(before: Figures, after: Figures): Compared[] {
  const compared: Compared[] = [];
  for (const [row, earlier] of before) {
    const later = after.get(row);
    if (later === undefined) continue;
    const [old, now] = [statistics(earlier).median, statistics(later).median];
    if (old === 0) continue;
    const ratio = now / old;
    compared.push({ row, before: old, after: now, ratio, verdict: verdictOf(row, ratio) });
  }
  return compared;
}

function verdictOf(row: string, ratio: number): Compared['verdict'] {
  if (Math.abs(ratio - 1) <= TENTH) return 'alike';
  // In "settlements a second: CPU for each", the part after the colon says what is measured.
  const measured = row.split(': ').at(-1) ?? row;
  if (DESCRIBES.test(measured)) return 'alike';
  return ratio > 1 === WORK.test(measured) ? 'better' : 'worse';
}
