import { codeBlocks, noteOf } from '../commands/codeBlocks.ts';

/** One thing that a quickstart asks its reader to do, in the order of the page. */
export type Step =
  /** Write a file, named from the folder that the page is in by then. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  /** Run commands to their end; `expected` is the output that the page shows. */
  | { readonly kind: 'run'; readonly text: string; readonly expected: string | undefined }
  /** Start a program in a terminal of its own, which is ready when it has printed `until`. */
  | {
      readonly kind: 'serve';
      readonly text: string;
      readonly until: string;
      readonly expected: string | undefined;
    };

/** Reads the steps of a page: its `sh` blocks, the files that notes name, and `text` blocks as output of the block above. */
export function readQuickstart(page: string): readonly Step[] {
  const steps: Step[] = [];
  for (const block of codeBlocks('sh', 'js', 'python', 'text').filter((one) => one.page === page)) {
    const { language, text } = block;
    const previous = steps.at(-1);
    if (language === 'text') {
      if (previous === undefined || previous.kind === 'file') {
        throw new Error(`${page}:${block.line}: output of no command`);
      }
      steps[steps.length - 1] = { ...previous, expected: text };
      continue;
    }
    if (noteOf(block, 'not run') !== undefined) continue;
    const name = noteOf(block, 'file');
    const until = noteOf(block, 'serves');
    if (name !== undefined) steps.push({ kind: 'file', name, text });
    else if (until !== undefined) steps.push({ kind: 'serve', text, until, expected: undefined });
    else if (language === 'sh') steps.push({ kind: 'run', text, expected: undefined });
    else throw new Error(`${page}:${block.line}: a script that is not a file of the page`);
  }
  return steps;
}

/** What differs from run to run, by its shape. */
const SHAPES: readonly RegExp[] = [/[GCS][A-Z2-7]{55}/, /[0-9a-f]{64}/];

/** The lines of `expected` that `output` lacks, taken in order; `…` stands for anything, keys and hashes for any others. */
export function missingLines(expected: string, output: string): readonly string[] {
  const lines = output.split('\n');
  let from = 0;
  return expected.split('\n').filter((line) => {
    if (line.trim() === '' || line.trim() === '…') return false;
    const pattern = patternOf(line.trimEnd());
    const at = lines.findIndex((one, index) => index >= from && pattern.test(one.trimEnd()));
    if (at >= 0) from = at + 1;
    return at < 0;
  });
}

function patternOf(line: string): RegExp {
  const parts = new RegExp(`(${['…', ...SHAPES.map(({ source }) => source)].join('|')})`);
  const source = line
    .split(parts)
    .map((part) => {
      if (part === '…') return '.*';
      const shape = SHAPES.find((one) => new RegExp(`^${one.source}$`).test(part));
      return shape?.source ?? part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}
