import { figure } from './figures.ts';
import type { PrintedTable } from './readOutput.ts';

/**
 * Our figure divided by the peer's, for each row where both have one: below 1 is less time or memory, and in rows of "a
 * second", less work done.
 */
export function ratios(
  table: PrintedTable,
  ours: string,
): Omit<PrintedTable, 'kind'> & { readonly rows: string[][] } {
  const own = table.header.indexOf(ours);
  const peers = table.header.flatMap((name, column) =>
    column === 0 || column === own || name.startsWith(ours) ? [] : [{ name, column }],
  );
  const rows = table.rows.flatMap((row) => {
    const mine = figure(row[own]);
    const cells = peers.map(({ column }) => {
      const theirs = figure(row[column]);
      if (mine === undefined || theirs === undefined || theirs === 0) return '–';
      return `${(mine / theirs).toPrecision(2)}×`;
    });
    return cells.every((cell) => cell === '–') ? [] : [[row[0] ?? '', ...cells]];
  });
  return { header: ['', ...peers.map(({ name }) => `beside ${name}`)], rows };
}
