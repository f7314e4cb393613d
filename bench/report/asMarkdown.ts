import type { Printed, PrintedTable } from './readOutput.ts';

/** Paragraphs and tables as Markdown. */
export function asMarkdown(printed: readonly Printed[]): string {
  return printed.map((one) => (one.kind === 'text' ? one.text : markdownTable(one))).join('\n\n');
}

export function markdownTable({ header, rows }: Omit<PrintedTable, 'kind'>): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const align = header.map((_, column) => (column === 0 ? ':--' : '--:'));
  return [line(header), `| ${align.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** An indent in the first column is kept as spaces that do not collapse. */
function escaped(cell: string): string {
  const indent = cell.length - cell.trimStart().length;
  return `${'\u00a0'.repeat(indent * 2)}${cell.trim().replaceAll('|', '\\|')}`;
}
