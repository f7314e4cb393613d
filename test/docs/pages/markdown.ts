/** A table of Markdown. Bars in cells are escaped, line ends become spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |\n`;
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}

/** Text in the type of code. */
export function code(text: string | number): string {
  return `\`${text}\``;
}

/** A fenced block of JSON. */
export function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}

/** The line below a generated page's title. */
export function madeFrom(source: string): string {
  return `Generated from ${source} by \`npm run docs -- generate\`; a test checks that it is current.\n`;
}
