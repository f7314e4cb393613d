// `npm run bench -- codegen [--runs N]`: the cost of finding endpoints and adding a payment, measured on the shipped bundle.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { statistics } from '../statistics.ts';
import { table } from '../table.ts';
import { routeFile } from './routeFile.ts';

interface Measured {
  readonly load: number;
  readonly cold: number;
  readonly coldCpu: number;
  readonly warm: readonly number[];
  readonly warmCpu: number;
  readonly before: number;
  readonly memory: number;
  readonly after: number;
}

const SIZES = [100, 1_000, 5_000];
const COLD_STARTS = 3;

const { values } = parseArgs({ options: { runs: { type: 'string', default: '30' } } });
const own = fileURLToPath(new URL('./ownProcess.mjs', import.meta.url));
const bundle = fileURLToPath(new URL('../../dist/codegen.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));

try {
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`);
  const size = statSync(bundle).size;
  console.log(
    `dist/codegen.js: ${(size / 1e6).toFixed(2)} MB, loaded when the command first runs\n`,
  );
  const rows: string[][] = [];
  for (const lines of SIZES) {
    const file = join(folder, `${lines}.ts`);
    const text = routeFile(lines);
    writeFileSync(file, text);
    const count = text.split('\n').length - 1;
    for (const work of ['change', 'lenses'] as const) rows.push(row(work, count, file));
  }
  // CPU time next to wall-clock time, which other programs on the machine prolong.
  const header = [
    '',
    'lines',
    'load',
    'cold',
    'cold cpu',
    'warm',
    'warm cpu',
    'MB first',
    'MB after',
  ];
  console.log(table(header, rows));
  console.log(
    `\nMilliseconds. load: the bundle alone. cold: load and first run in a new process, median of ${COLD_STARTS}. warm: a run after it, of ${values.runs}. cpu: processor time of the same.\nMB: resident memory above that of the empty process, after the first and after the last run.`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

function row(work: 'change' | 'lenses', lines: number, file: string): string[] {
  const starts = Array.from({ length: COLD_STARTS }, () => measure(work, file));
  const warm = statistics(starts.at(-1)?.warm ?? []);
  const median = (of: (measured: Measured) => number): number => statistics(starts.map(of)).median;
  return [
    work === 'change' ? 'add a payment' : 'CodeLens: find endpoints',
    String(lines),
    median(({ load }) => load).toFixed(0),
    median(({ cold }) => cold).toFixed(0),
    median(({ coldCpu }) => coldCpu).toFixed(0),
    warm.median.toFixed(1),
    median(({ warmCpu }) => warmCpu).toFixed(1),
    (median(({ memory, before }) => memory - before) / 1e6).toFixed(0),
    (median(({ after, before }) => after - before) / 1e6).toFixed(0),
  ];
}

function measure(work: string, file: string): Measured {
  const output = execFileSync(process.execPath, [own, work, file, values.runs], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Measured;
}
