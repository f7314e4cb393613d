import type { Printed, PrintedTable } from './readOutput.ts';

/** The number at the start of a cell, with or without thousands separators; undefined if there is none. */
export function figure(cell: string | undefined): number | undefined {
  const found = /^(\d[\d,]*(?:\.\d+)?)/.exec(cell?.trim() ?? '')?.[1];
  return found === undefined ? undefined : Number(found.replaceAll(',', ''));
}

/** The table with all these columns; throws if a bench no longer prints it. */
export function tableWith(printed: readonly Printed[], columns: readonly string[]): PrintedTable {
  const found = printed.find(
    (one): one is PrintedTable =>
      one.kind === 'table' && columns.every((column) => one.header.includes(column)),
  );
  if (!found) throw new Error(`No table has the columns ${columns.join(', ')}.`);
  return found;
}

/**
 * Rows whose label starts with one of these, each with the heading of an indented row, because " a second, 10 clients" alone
 * does not say of what.
 */
export function labelledRows(
  table: PrintedTable,
  wanted: (label: string) => boolean,
): { readonly label: string; readonly cells: readonly string[] }[] {
  let heading = '';
  return table.rows.flatMap(([first = '', ...cells]) => {
    if (!first.startsWith(' ')) heading = first;
    const label = first.startsWith(' ') ? `${heading.split(':')[0]}: ${first.trim()}` : first;
    return wanted(label) ? [{ label, cells }] : [];
  });
}
