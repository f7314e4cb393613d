import type { Statement } from './statement.ts';
import { saysMoney } from './words.ts';

/** Returns the statements about money in a page: sentences, items and cells. */
export function pageStatements(file: string, page: string): readonly Statement[] {
  return page
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-|#>]|\d+\. ))/)
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?]\**) | \| /))
    .filter(saysMoney)
    .map((text) => ({ file, at: '', text: text.trim(), values: [] }));
}

/** Returns the statements about money in a file of the extension's texts, by their keys. */
export function manifestStatements(file: string, source: string): readonly Statement[] {
  const texts = JSON.parse(source) as Readonly<Record<string, string>>;
  return Object.entries(texts)
    .filter(([, text]) => saysMoney(text))
    .map(([at, text]) => ({ file, at, text: text.replaceAll(/\s+/g, ' '), values: [] }));
}
