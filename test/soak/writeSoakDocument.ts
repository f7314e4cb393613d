import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { linePlot } from '../../bench/plots/index.ts';
import { latencyOf } from './recorder.ts';
import type { SoakReport } from './report.ts';

/** Where the page goes, and the folder of its pictures. */
interface Places {
  readonly page: string;
  readonly pictures: string;
}

/** Kinds whose latency is drawn; the rest is in the table. */
const DRAWN = ['exact: /settle', 'upto: /settle', 'verify', 'list', 'search'];
const POINTS = 180;

/** Marks on the time axis; where they would overlap, one for each kind of fault. */
function marksOf({ faults }: SoakReport) {
  return faults.map(({ at, kind }) => ({ x: at / 60, label: kind }));
}

/** The worst p50 or p99 of a kind among the seconds of each stretch. */
function pointsOf({ samples }: SoakReport, kind: string, which: 'p50' | 'p99') {
  const width = Math.max(1, Math.ceil(samples.length / POINTS));
  const points: [number, number][] = [];
  for (let from = 0; from < samples.length; from += width) {
    const found = samples
      .slice(from, from + width)
      .flatMap(({ latency }) => (latency[kind] ? [latency[kind][which]] : []));
    if (found.length === 0) continue;
    const value = which === 'p99' ? Math.max(...found) : latencyOf(found).p50;
    points.push([from / 60, value]);
  }
  return points;
}

function latencyPlot(report: SoakReport, which: 'p50' | 'p99'): Promise<string> {
  return linePlot({
    title: which === 'p50' ? 'Latency, median' : 'Latency, 99th percentile of a second, worst',
    xLabel: 'minutes',
    yLabel: 'milliseconds',
    series: DRAWN.map((name) => ({ name, points: pointsOf(report, name, which) })),
    marks: marksOf(report),
    logY: true,
  });
}

function memoryPlot(report: SoakReport): Promise<string> {
  const { samples } = report;
  const width = Math.max(1, Math.ceil(samples.length / POINTS));
  const names = [...new Set(samples.flatMap(({ memory }) => Object.keys(memory)))];
  return linePlot({
    title: 'Memory by process',
    xLabel: 'minutes',
    yLabel: 'megabytes',
    series: names.map((name) => ({
      name,
      points: samples.flatMap(({ second, memory }): [number, number][] =>
        second % width === 0 && memory[name] !== undefined ? [[second / 60, memory[name]]] : [],
      ),
    })),
    marks: marksOf(report).filter(({ label }) => ['kill', 'stop', 'PostgreSQL'].includes(label)),
  });
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const ACCOUNT: readonly (readonly [keyof SoakReport['account'], string])[] = [
  ['purchases', 'purchases begun'],
  ['authorizations', 'payments presented'],
  ['settledOnLedger', 'settled on the ledger'],
  ['answeredSettled', 'answered as settled'],
  ['countedInCatalog', 'counted by the catalog'],
  ['replaysToldAgain', 'replays that got the first outcome again'],
  ['lost', 'lost: settled, and the buyer got no answer'],
  ['double', 'double: two transfers for one purchase'],
  ['phantom', 'reported as settled, and not on the ledger'],
  ['unasked', 'transfers of payments that were invalid or only verified'],
  ['leakedChannels', 'leaked channels'],
  ['unfinishedInJournal', 'unfinished in the journal'],
  ['reserved', "stroops of the sponsor's still reserved"],
  ['wrongBalances', 'accounts whose USDC is not exactly what their payments say'],
  ['coinsMissing', 'stroops of XLM missing of the total in the ledger header'],
];

function countsOf<T>(values: readonly T[], name: (value: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(name(value), (counts.get(name(value)) ?? 0) + 1);
  return [...counts];
}

/** Writes the page of a run with its plots. @param note about the circumstances of the run */
export async function writeSoakDocument(
  report: SoakReport,
  { page, pictures }: Places,
  note?: string,
): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const plots: [string, string, string][] = [
    ['latency-p50.svg', 'Median latency over time', await latencyPlot(report, 'p50')],
    ['latency-p99.svg', 'Worst latency over time', await latencyPlot(report, 'p99')],
    ['memory.svg', 'Memory over time', await memoryPlot(report)],
  ];
  for (const [name, , svg] of plots) writeFileSync(join(pictures, name), svg);
  const { options, account, latency, codes, faults } = report;
  const at = relative(dirname(page), pictures);
  const gaveUp = Object.entries(account.gaveUp);
  const given = options.rate !== undefined;
  writeFileSync(
    page,
    `# Soak

Written by \`npm run lab -- soak --write-docs\`, on ${report.started.slice(0, 10)}, ${report.machine}.
${note === undefined ? '' : `\n${note}\n`}
Mixed traffic on ${options.instances} facilitators (\`dist/cli.js facilitator\`) that share one PostgreSQL, over the embedded network
(\`dist/cli.js ledger\`), each in a process of its own on one machine, together with all buyers and sellers.
${
  given
    ? `${report.rate.toFixed(1)} requests and purchases were begun a second, as set,`
    : `With 24 workers that ask without a pause ${(report.maximum ?? 0).toFixed(1)} requests and purchases ended a second; half of that, ${report.rate.toFixed(1)}, were then begun a second,`
}
for ${options.minutes} minutes, whether or not those before were answered. Seed ${options.seed}.

## Account

${table(
  ['', ''],
  ACCOUNT.map(([name, words]) => [words, String(account[name])]),
)}

${gaveUp.length === 0 ? 'No buyer gave up.' : `Buyers that gave up without having paid: ${gaveUp.map(([why, count]) => `${count} × ${why}`).join(', ')}.`} ${report.heldBack === 0 ? 'Nothing was held back.' : `${report.heldBack} were not begun since 400 were in flight.`}
${report.violations.length === 0 ? 'Nothing was violated.' : `**Violated: ${report.violations.join('; ')}.**`}

A buyer does what the rules say: without an answer, or while it is pending, it sends the identical request again, to any instance;
it signs again only when an answer says that nothing was submitted or that it failed, and gives up after six signatures.

## Faults

${faults.length} faults, of each kind once before any came again:

${table(
  ['fault', 'times'],
  countsOf(faults, ({ kind }) => kind),
)}

An RPC stall, silence or error spoils the next calls of one method of the ledger's RPC; \`kill\` is \`kill -9\`, \`stop\` is SIGTERM, \`freeze\` stalls a
process for 0.8 to 1.4 times as long as it counts as alive without a sign of life; PostgreSQL ends at once and recovers from its log; \`clock\` puts the wall clock of an
instance up to two minutes off; \`ledger time\` moves the network's time forward by up to ten minutes.

## Over time

${plots.map(([name, words]) => `![${words}](${at}/${name})`).join('\n\n')}

## Latency

Milliseconds, faults included. A whole purchase is from the first request until the buyer gets the outcome, repetitions and new signatures included.

${table(
  ['request', 'number', 'p50', 'p99'],
  Object.entries(latency)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([kind, { count, p50, p99 }]) => [kind, count, p50.toFixed(1), p99.toFixed(1)]),
)}

## How requests ended

${table(
  ['request', 'answer', 'times'],
  Object.entries(codes).flatMap(([kind, ends]) =>
    Object.entries(ends).map(([code, times]) => [kind, `\`${code}\``, times]),
  ),
)}

"no answer": the instance was killed or frozen, or none was up. \`${basename(page)}\` has the figures of this run; each second of it is in \`build/soak/report.json\`.
`,
  );
}
