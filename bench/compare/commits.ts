// `npm run bench -- NAME --compare REF [--rounds N] [--this-bench] [OPTION…]`: runs a bench of this checkout and of another
// commit in turns, and prints how they differ. That way, a busy machine slows both equally, unlike two consecutive runs. With
// `--this-bench`, both are measured by this checkout's bench, which might have changed since that commit.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../table.ts';
import { compare, readRounds } from './comparison.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values, positionals, tokens } = parseArgs({
  options: {
    compare: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'this-bench': { type: 'boolean', default: false },
  },
  allowPositionals: true,
  strict: false,
  tokens: true,
});
const [name = ''] = positionals;
const rounds = Number(values.rounds);
if (typeof values.compare !== 'string' || !Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run bench -- NAME --compare REF [--rounds N] [--this-bench] [OPTION…]');
  process.exit(2);
}
const OWN_OPTIONS = new Set(['compare', 'rounds', 'this-bench']);
/** The arguments after the name, for the bench itself. */
const options = tokens.flatMap((token) => {
  if (token.kind === 'positional') return token.value === name ? [] : [token.value];
  if (token.kind !== 'option' || OWN_OPTIONS.has(token.name)) return [];
  return token.inlineValue ? [token.rawName, token.value ?? ''] : [token.rawName];
});

const other = checkOut(commitOf(values.compare));
if (values['this-bench'] === true) {
  if (relative(root, placeOf(root)) !== relative(other, placeOf(other))) {
    console.error(`${values.compare} has this bench in another folder: leave out --this-bench.`);
    process.exit(2);
  }
  cpSync(placeOf(root), placeOf(other), { recursive: true });
}
const outputs: { before: string[]; after: string[] } = { before: [], after: [] };
const loads: number[] = [];
const BY_TURNS = ['before', 'after'] as const;
for (let round = 1; round <= rounds; round += 1) {
  loads.push(loadavg()[0] ?? 0);
  // The second one runs on a machine that has just been busy, so the order alternates.
  for (const which of round % 2 === 1 ? BY_TURNS : BY_TURNS.toReversed()) {
    const [label, folder] = which === 'before' ? [values.compare, other] : ['this checkout', root];
    process.stderr.write(`\n== round ${round} of ${rounds}: ${label}\n`);
    outputs[which].push(await run(folder));
  }
}

const compared = compare(readRounds(outputs.before), readRounds(outputs.after));
console.log(
  table(
    ['', values.compare, 'here', 'ratio', ''],
    compared.map(({ row, before, after, ratio, verdict }) => [
      row,
      before.toPrecision(4),
      after.toPrecision(4),
      ratio.toFixed(2),
      verdict === 'alike' ? '' : verdict,
    ]),
  ),
);
const worse = compared.filter(({ verdict }) => verdict === 'worse').length;
console.log(
  `\nMedians of ${rounds} rounds by turns; load average before each: ${loads.map((load) => load.toFixed(1)).join(', ')}.`,
);
console.log(`${compared.length} rows, ${worse} worse by more than a tenth`);

/** The folder of the bench in a checkout. */
function placeOf(folder: string): string {
  const own = join(folder, 'bench', name);
  return existsSync(own) ? own : join(folder, 'network', 'bench', name);
}

function commitOf(ref: string): string {
  try {
    return git('rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`);
  } catch {
    console.error(`This repository has no commit called ${ref}.`);
    process.exit(2);
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/** Checks out a commit into its own folder, which is kept for the next comparison. */
function checkOut(sha: string): string {
  const folder = join(root, 'build', 'compare', sha);
  if (existsSync(join(folder, 'package.json'))) {
    // An earlier comparison might have replaced its bench.
    execFileSync('git', ['checkout', '--quiet', '--', '.'], { cwd: folder });
    return folder;
  }
  rmSync(folder, { recursive: true, force: true });
  git('clone', '--quiet', '--shared', '--no-checkout', root, folder);
  execFileSync('git', ['checkout', '--quiet', '--detach', sha], { cwd: folder });
  return folder;
}

/** Runs the bench of a checkout, which installs its own packages. @returns its output */
function run(folder: string): Promise<string> {
  const args = [join('scripts', 'bench.mjs'), name, ...options];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`the bench in ${folder} ended with ${code}`)),
    );
  });
}
