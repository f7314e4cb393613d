import { projectFile } from '../pages/projectFile.ts';
import { proseFiles } from '../pages/proseFiles.ts';

/** A fenced block of a page. */
export interface CodeBlock {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** HTML comments right above it, which readers do not see. */
  readonly notes: readonly string[];
}

const FENCE = /((?:<!-- [^\n]* -->\n)*)```(\w+)[^\n]*\n([\s\S]*?)^```$/gm;

/** Every fenced block of the pages in these languages. */
export function codeBlocks(...languages: readonly string[]): readonly CodeBlock[] {
  return proseFiles().flatMap((page) => {
    const source = projectFile(page);
    return [...source.matchAll(FENCE)].flatMap(([, comments = '', language = '', text = '']) => {
      if (!languages.includes(language)) return [];
      const start = source.indexOf(text);
      return [
        {
          page,
          language,
          text,
          line: source.slice(0, start).split('\n').length,
          notes: [...comments.matchAll(/<!-- (.*) -->/g)].map(([, note = '']) => note),
        },
      ];
    });
  });
}

/** The text of a block's note of this name: `<!-- name: words -->` or `<!-- name -->`. */
export function noteOf({ notes }: CodeBlock, name: string): string | undefined {
  const note = notes.find((one) => one === name || one.startsWith(`${name}: `));
  return note?.slice(name.length + 2);
}
