import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin, type NamedAttack } from './branching.ts';
import { type CostReport, fuzzCost, type RouteReport } from './fuzzCost.ts';
import { shareOf } from './searchRoute.ts';

/** What the last search found. */
export const COST_FILE = fileURLToPath(new URL('../../../build/fuzz-cost.json', import.meta.url));
const MIB = 1_024 * 1_024;
const MAX_WORDS = 160;
/** Characters of an input that the file has. */
const MAX_TEXT = 2_000;

/**
 * Runs the search for what is dear, prints it and writes `build/fuzz-cost.json`.
 * @returns whether everything is within its budget
 */
export async function printCosts(options: {
  requests: number;
  minutes: number;
  seed: number;
  only: string;
}): Promise<boolean> {
  console.log(`${options.requests} requests, seed ${options.seed}`);
  const startedAt = performance.now();
  const report = await fuzzCost({
    ...options,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const route of report.routes) printRoute(route);
  for (const attack of report.named) console.log(namedInWords(attack));
  write(report, options.seed);
  const { before, after } = report.rss;
  console.log(
    `resident memory: ${(before / MIB).toFixed(0)} MiB before, ${(after / MIB).toFixed(0)} MiB after`,
  );
  for (const line of report.over) console.log(`over budget: ${line.slice(0, 400)}`);
  console.log(
    `${report.requests} requests over ${report.routes.length} routes in ${seconds.toFixed(0)} s; ${report.over.length === 0 ? 'none over budget' : `${report.over.length} over budget`}`,
  );
  return report.over.length === 0;
}

function printRoute({
  route,
  budget,
  requests,
  statuses,
  dear,
  keptBytes,
  keptRows,
}: RouteReport): void {
  const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
  console.log(
    `\n${route.surface} ${route.name}: ${requests} requests (${seen.join(', ')}); budget ${budget.cpuMs} ms CPU, ` +
      `${budget.loopMs} ms of the serving thread, ${budget.answerBytes} bytes, ${budget.rows} rows; keeps ${keptBytes.toFixed(0)} of ` +
      `${budget.keptBytes} bytes and ${keptRows.toFixed(1)} rows a request`,
  );
  for (const { cost, outline } of dear) {
    const { cpuMs, loopMs, answerBytes, rssBytes, sockets, rows, status } = cost;
    console.log(
      [
        `${(100 * shareOf(cost, budget)).toFixed(0)} %`.padStart(6),
        `${cpuMs.toFixed(1)} ms`.padStart(10),
        `${loopMs.toFixed(1)} ms`.padStart(10),
        `${answerBytes} B`.padStart(10),
        `+${(rssBytes / 1_024).toFixed(0)} KiB`.padStart(10),
        `${sockets} sockets`,
        `${Math.max(0, rows)} rows`,
        `${status}`,
        outline.slice(0, MAX_WORDS),
      ].join('  '),
    );
  }
}

function namedInWords(attack: NamedAttack): string {
  const { name, cost, honest } = attack;
  const verdict = isWithin(attack) ? 'within budget' : 'OVER BUDGET';
  return `\n${name}: ${cost.cpuMs.toFixed(1)} ms CPU, ${cost.loopMs.toFixed(1)} ms of the serving thread, ${cost.rows} rows; ${honest} of 8 honest /verify meanwhile; ${verdict}`;
}

function write({ requests, routes, named, rss, over }: CostReport, seed: number): void {
  const short = {
    seed,
    requests,
    rss,
    over,
    named: named.map(({ name, cost, honest }) => ({ name, ...cost, honest })),
    routes: routes.map(({ route, statuses, dear, ...rest }) => ({
      surface: route.surface,
      name: route.name,
      ...rest,
      statuses: Object.fromEntries(statuses),
      dear: dear.map(({ input, outline, cost }) => ({
        ...cost,
        outline: outline.slice(0, MAX_TEXT),
        input: JSON.stringify(input).slice(0, MAX_TEXT),
      })),
    })),
  };
  mkdirSync(dirname(COST_FILE), { recursive: true });
  writeFileSync(COST_FILE, `${JSON.stringify(short, undefined, 1)}\n`);
}
