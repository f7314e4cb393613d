import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const PAGE = fileURLToPath(new URL('../../../docs/evidence/costs.md', import.meta.url));
const MIB = 1_024 * 1_024;
/** Characters of an input's outline that the page has. */
const MAX_WORDS = 120;

const cost = z.object({
  cpuMs: z.number(),
  loopMs: z.number(),
  answerBytes: z.number(),
  rows: z.number(),
});
const reportSchema = z.object({
  seed: z.number(),
  requests: z.number(),
  rss: z.object({ before: z.number(), after: z.number() }),
  over: z.array(z.string()),
  named: z.array(cost.extend({ name: z.string(), honest: z.number() })),
  routes: z.array(
    z.object({
      surface: z.string(),
      name: z.string(),
      budget: cost.extend({ keptBytes: z.number() }),
      requests: z.number(),
      statuses: z.record(z.string(), z.number()),
      keptBytes: z.number(),
      keptRows: z.number(),
      dear: z.array(cost.extend({ status: z.number(), outline: z.string() })),
    }),
  ),
});

type Report = z.infer<typeof reportSchema>;
type RouteOfReport = Report['routes'][number];

/** Writes `docs/evidence/costs.md` from the file that a search has written. */
export function writeCostPage(file: string): void {
  const report = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const day = statSync(file).mtime.toISOString().slice(0, 10);
  writeFileSync(PAGE, pageOf(report, day));
}

function pageOf(report: Report, day: string): string {
  const { seed, requests, routes, named, over, rss } = report;
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB`;
  const verdict =
    over.length === 0 ? 'None is over its budget' : `${over.length} are over their budgets`;
  return `# What a request costs

Written by \`npm run lab -- fuzz --cost --write-docs\`, on ${day}, ${machine}, seed ${seed}.

The search sent ${requests} requests over ${routes.length} routes. It changes the most expensive inputs that it has found: wider, deeper, longer,
with more references, with text that grows under normalization. ${verdict}.
Facilitator and embedded network were one process, as with \`svc-x402 dev\`. CPU is that of the process with all of its threads, and
that of the thread that serves; it is the least of several measures of the same input, because other programs were running.
Resident memory was ${mib(rss.before)} MiB before the search and ${mib(rss.after)} MiB after it.

## Named attacks

${table(
  ['Attack', 'CPU', 'Serving thread', 'Rows', 'Honest `/verify` answered meanwhile'],
  named.map((one) => [
    one.name,
    ms(one.cpuMs),
    ms(one.loopMs),
    `${one.rows}`,
    `${one.honest} of 8`,
  ]),
)}

## Routes

The most that any input took, beside what one may take.

${table(
  [
    'Route',
    'Requests',
    'CPU',
    'of',
    'Serving thread',
    'of',
    'Bytes of the response',
    'of',
    'Bytes kept',
    'of',
  ],
  routes.map((route) => {
    const { surface, name, budget } = route;
    const most = (read: (one: RouteOfReport['dear'][number]) => number): number =>
      Math.max(0, ...route.dear.map(read));
    return [
      `${surface}: ${name}`,
      `${route.requests}`,
      ms(most(({ cpuMs }) => cpuMs)),
      `${budget.cpuMs} ms`,
      ms(most(({ loopMs }) => loopMs)),
      `${budget.loopMs} ms`,
      `${most(({ answerBytes }) => answerBytes)}`,
      `${budget.answerBytes}`,
      route.keptBytes.toFixed(0),
      `${budget.keptBytes}`,
    ];
  }),
)}

## The ten most expensive inputs of each route

An input is shown by its shape: long texts and lists by their length, to a power of two.

${routes.map(section).join('\n\n')}
`;
}

function section({ surface, name, statuses, dear }: RouteOfReport): string {
  const answered = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const rows = dear.map((one) => [
    ms(one.cpuMs),
    ms(one.loopMs),
    `${one.answerBytes}`,
    `${Math.max(0, one.rows)}`,
    `${one.status}`,
    code(one.outline),
  ]);
  const heads = ['CPU', 'Serving thread', 'Bytes', 'Rows', 'Status', 'Input'];
  return `### ${surface}: ${name}\n\nStatuses: ${answered.join(', ')}.\n\n${table(heads, rows)}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Characters that a page cannot show, or would act on, are written as numbers. */
function code(outline: string): string {
  const plain = outline
    .slice(0, MAX_WORDS)
    .replace(/[^\x20-\x7e]|[`|]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
  return `\`${plain}\``;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}
