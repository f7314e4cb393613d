export interface PrintedTable {
  readonly kind: 'table';
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface PrintedText {
  readonly kind: 'text';
  readonly text: string;
}

export type Printed = PrintedTable | PrintedText;

const RULE = /^-+( {2}-+)*$/;

/** A bench's output, split into its paragraphs and tables (as formatted by `table.ts`). */
export function readOutput(output: string): Printed[] {
  const lines = output.split('\n');
  const printed: Printed[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) printed.push({ kind: 'text', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (RULE.test(lines[at + 1] ?? '')) {
      endParagraph();
      const end = endOfTable(lines, at + 2);
      printed.push(readTable(line, lines[at + 1] ?? '', lines.slice(at + 2, end)));
      at = end;
    } else if (line.trim() === '') endParagraph();
    else paragraph.push(line.trim());
  }
  endParagraph();
  return printed;
}

function endOfTable(lines: readonly string[], from: number): number {
  const blank = lines.findIndex((line, at) => at >= from && line.trim() === '');
  return blank === -1 ? lines.length : blank;
}

function readTable(header: string, rule: string, rows: readonly string[]): PrintedTable {
  const columns = [...rule.matchAll(/-+/g)].map(({ index, 0: dashes }) => ({
    from: index,
    to: index + dashes.length,
  }));
  const cells = (line: string) =>
    // The indent of the first column shows which rows belong together.
    columns.map(({ from, to }, column) => {
      const cell = line.slice(from, to);
      return column === 0 ? cell.trimEnd() : cell.trim();
    });
  return { kind: 'table', header: cells(header), rows: rows.map(cells) };
}
