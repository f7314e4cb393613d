// `npm run bench [-- --saved]`: runs every bench and writes docs/evidence/benchmarks.md with its plots. With --saved, it writes
// the page from the last output of the benches (build/bench).

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { barPlot } from '../plots/index.ts';
import { asMarkdown, markdownTable } from './asMarkdown.ts';
import { tableWith } from './figures.ts';
import { ratios } from './ratios.ts';
import { readOutput } from './readOutput.ts';
import { SECTIONS, type Section } from './sections.ts';

interface Run {
  readonly machine: string;
  readonly day: string;
  readonly minutes: string;
  /** For each bench, how busy the processors were before it, in percent. */
  readonly busy: Readonly<Record<string, string>>;
}

const { values } = parseArgs({ options: { saved: { type: 'boolean', default: false } } });
const root = fileURLToPath(new URL('../../', import.meta.url));
const saved = join(root, 'build', 'bench');
const evidence = join(root, 'docs', 'evidence');
const pictures = join(evidence, 'pictures', 'benchmarks');
const BUSY_OVER_MS = 3_000;
mkdirSync(saved, { recursive: true });
mkdirSync(pictures, { recursive: true });

const note = join(saved, 'run.json');
if (!values.saved) writeFileSync(note, JSON.stringify(await runAll()));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const parts: string[] = [introduction(JSON.parse(readFileSync(note, 'utf8')) as Run)];
for (const section of SECTIONS) parts.push(await page(section));
writeFileSync(join(evidence, 'benchmarks.md'), `${parts.join('\n\n')}\n`);
console.log('written: docs/evidence/benchmarks.md');

/** Runs the benches one after the other, and stores their output. */
async function runAll(): Promise<Run> {
  const begun = performance.now();
  // The bench of the extension states the size of the package, if there is one.
  execFileSync(process.execPath, [join(root, 'scripts', 'package.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const busy: Record<string, string> = {};
  for (const { bench } of SECTIONS) {
    busy[bench] = (100 * (await busyShare())).toFixed(0);
    writeFileSync(join(saved, `${bench}.txt`), await run(bench));
  }
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  return {
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${gigabytes} GiB, ${platform()} ${arch()}, Node ${process.version}`,
    day: new Date().toISOString().slice(0, 10),
    minutes: ((performance.now() - begun) / 60_000).toFixed(0),
    busy,
  };
}

/** The share of all processors' time that other programs take now. A load average would still contain the bench before. */
async function busyShare(): Promise<number> {
  const spent = () => {
    const times = cpus().map(({ times }) => times);
    const sum = (of: (one: (typeof times)[number]) => number) =>
      times.reduce((total, one) => total + of(one), 0);
    return {
      idle: sum(({ idle }) => idle),
      all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
    };
  };
  const before = spent();
  await pause(BUSY_OVER_MS);
  const after = spent();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function run(bench: string): Promise<string> {
  process.stderr.write(`\n== ${bench}\n`);
  const own = join(root, 'bench', bench, 'main.ts');
  const main = existsSync(own) ? own : join(root, 'network', 'bench', bench, 'main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`bench ${bench} ended with ${code}`)),
    );
  });
}

function introduction({ machine, day, minutes, busy }: Run): string {
  const before = Object.entries(busy).map(([bench, percent]) => `${bench} ${percent} %`);
  return `# Benchmarks

Written by \`npm run bench\`, which installs the peers by version, runs every bench one after the other
(${minutes} minutes here) and sets this page from what they print. Figures are of one run, of version
${version}, on ${day}.

- **Machine:** ${machine}.
- **Processor time that other programs took, over the three seconds before each bench:** ${before.join(', ')}.
- **Medians and spreads:** a median stands with its tenth and ninetieth percentile in brackets; p50 and
  p99 are of single requests.
- **Ratios:** our figure divided by the peer's of the same run. Less than 1 is less time, or less memory;
  in rows of work "a second" it is less work.
- One part again: \`npm run bench -- NAME\`, where NAME stands under each heading.`;
}

async function page({ bench, title, method, ours, plots }: Section): Promise<string> {
  const file = join(saved, `${bench}.txt`);
  if (!existsSync(file)) throw new Error(`${bench} was not run: npm run bench`);
  const printed = readOutput(readFileSync(file, 'utf8')).filter(
    (one) => one.kind === 'table' || !one.text.startsWith('Node v'),
  );
  const drawn: string[] = [];
  for (const { file: name, ...plot } of plots(printed)) {
    writeFileSync(join(pictures, name), await barPlot(plot));
    drawn.push(`![${plot.title}](pictures/benchmarks/${name})`);
  }
  const compared = ours === undefined ? undefined : tableWith(printed, [ours]);
  const set = printed.flatMap((one) => {
    if (one !== compared || ours === undefined) return [asMarkdown([one])];
    const beside = ratios(one, ours);
    const peers = beside.header.length > 1;
    return [
      markdownTable(one),
      ...(peers ? [`Ratios: ${ours} divided by each.`, markdownTable(beside)] : []),
    ];
  });
  return [`## ${title}`, `\`npm run bench -- ${bench}\`. ${method}`, ...drawn, ...set].join('\n\n');
}
