// Reads what people read (pages, comments, messages, titles) by the style in style.mjs. Ends with 1 for --strict, as in
// `npm run check`, where a sentence breaks it; otherwise it only reports.
// usage: npm run docs -- prose [--list] [--strict] [PATH…] (counts by folder; --list shows every place)
//        npm run docs -- prose --sample 50 [--seed 1] [PATH…]      (sentences at random, for a reader to judge)

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import text from '@textlint/textlint-plugin-text';
import '../../scripts/explainOptions.mjs';
import { proseOfCode, proseOfComments, proseOfManifest } from './extract.mjs';
import { longest, style } from './style.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    strict: { type: 'boolean', default: false },
  },
});

/** Paths that are not read, each with the reason. */
const left = new RegExp(
  `^(?:${[
    // Recorded digests cover every byte of these sources: another word in a comment would be another build.
    'contracts/',
    'network/host/',
    // Its table of errors quotes the comments of contracts/. The page's own sentences are in test/docs/pages, which is read.
    'docs/contracts\\.md',
    // Made by programs from sources that are read.
    'docs/licences',
    'docs/errors/',
    'docs/evidence/conformance',
    'src/protocol/bindings/',
    'common/moduleHashes\\.ts',
    // Code and data of others, or in their style.
    'test/codegen/(?:corpus|fixtures|declarations)/',
    'test/data/',
    'test/editor/fixtures/',
    'bench/peers/',
    'examples/',
    // Quotes the words that it looks for.
    'test/prose/',
  ].join('|')})`,
);
const readers = [
  [/(?:\.md|^llms\.txt)$/, '.md', (source) => source],
  [/\.(?:[cm]?ts|[cm]js)$/, '.txt', proseOfCode],
  [/\.rs$/, '.txt', (source) => proseOfComments(source, '//')],
  [/(?:\.sh|^\.ci\/\w+)$/, '.txt', (source) => proseOfComments(source, '#')],
  [/^package\.json$/, '.txt', proseOfManifest],
];

/** A rule of textlint that reports the style's words and sentences that are too long. */
function rule({ Syntax, RuleError, report, getSource }) {
  return {
    [Syntax.Str](node) {
      const words = getSource(node);
      for (const { name, find, instead } of style) {
        for (const found of words.matchAll(find)) {
          report(node, new RuleError(`${name}: "${found[0]}": ${instead}`, { index: found.index }));
        }
      }
    },
    [Syntax.Paragraph](node) {
      const words = getSource(node);
      for (const found of words.matchAll(/[^.!?:;|]+(?:[.!?:;|]|$)/g)) {
        const count = found[0].split(/\s+/).filter((word) => /\w/.test(word)).length;
        if (count <= longest) continue;
        report(
          node,
          new RuleError(`long-sentence: ${count} words: split it`, { index: found.index }),
        );
      }
    },
  };
}

const kernel = new TextlintKernel();
const plugins = [
  { pluginId: 'markdown', plugin: markdown.default ?? markdown },
  { pluginId: 'text', plugin: text.default ?? text },
];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...positionals], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !left.test(file));

if (values.sample !== undefined) {
  printSample(Number(values.sample), Number(values.seed));
  process.exit(0);
}

const counts = new Map();
const kinds = new Map();
let all = 0;
for (const file of files) {
  const [, ext, read] = readers.find(([pattern]) => pattern.test(file)) ?? [];
  if (!read) continue;
  let source;
  try {
    source = readFileSync(join(root, file), 'utf8');
  } catch {
    continue;
  }
  const { messages } = await kernel.lintText(read(source), {
    ext,
    plugins,
    rules: [{ ruleId: 'style', rule }],
  });
  all += messages.length;
  const folder = folderOf(file);
  if (messages.length > 0) counts.set(folder, (counts.get(folder) ?? 0) + messages.length);
  for (const { line, message } of messages) {
    const kind = message.slice(0, message.indexOf(':'));
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (values.list) console.log(`${file}:${line}  ${message}`);
  }
}

const row = ([name, count]) => console.log(`${String(count).padStart(6)}  ${name}`);
const byCount = ([, one], [, other]) => other - one;
[...kinds].sort(byCount).forEach(row);
console.log('');
[...counts].sort(byCount).forEach(row);
console.log(`\n${all} places in ${files.length} files`);
process.exit(values.strict && all > 0 ? 1 : 0);

/** The folder that a file is counted under: two levels of network, src, test and bench, one of the others. */
function folderOf(file) {
  const parts = file.split('/');
  if (parts.length === 1) return file;
  return parts
    .slice(0, /^(network|src|test|bench)$/.test(parts[0]) ? Math.min(2, parts.length - 1) : 1)
    .join('/');
}

/** Prints so many sentences of five words or more, the same ones for the same seed and files. */
function printSample(count, seed) {
  const sentences = files.flatMap((file) => {
    const [, , read] = readers.find(([pattern]) => pattern.test(file)) ?? [];
    if (!read) return [];
    const words = read(readFileSync(join(root, file), 'utf8'), { keepCode: true }).replaceAll(
      /```[\s\S]*?```/g,
      '',
    );
    return words
      .split(/(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[-|])/)
      .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
      .filter((sentence) => !sentence.startsWith('|') && sentence.split(' ').length >= 5)
      .map((sentence) => `${file}: ${sentence}`);
  });
  let state = seed;
  for (let printed = 0; printed < count && sentences.length > 0; printed += 1) {
    // Numerical Recipes' generator: good enough for a choice, and the same everywhere.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const [chosen] = sentences.splice(Math.floor((state / 2 ** 32) * sentences.length), 1);
    console.log(chosen);
  }
}
