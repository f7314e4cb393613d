import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { CliError } from '../cliError.ts';
import type { CompareCostsCommand } from '../commandOptions.ts';
import { columns } from '../report.ts';

const spread = z.object({ least: z.number(), mean: z.number(), most: z.number() });
const costReport = z.object({
  version: z.literal(1),
  protocol: z.number(),
  functions: z.array(
    z.object({
      contract: z.string(),
      function: z.string(),
      calls: z.number(),
      cpuInstructions: spread,
      memoryBytes: spread,
    }),
  ),
});
type Report = z.infer<typeof costReport>;

const MEASURES = ['cpuInstructions', 'memoryBytes'] as const;

/** The change in a function's mean consumption. */
interface CostChange {
  readonly function: string;
  readonly measure: (typeof MEASURES)[number];
  readonly before: number;
  readonly after: number;
  /** In percent of the earlier value. */
  readonly change: number;
}

interface Comparison {
  readonly threshold: number;
  /** Functions of both reports whose cost changed, the largest increase first. */
  readonly changes: readonly CostChange[];
  /** Functions whose cost rose by more than the threshold. */
  readonly over: readonly CostChange[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/**
 * `svc-x402 compare-costs BEFORE AFTER`: compares two files of `--cost-report`.
 * @throws CliError `failed` if a cost rose by more than the threshold, `usage` if a file is not a cost report
 */
export async function compareCosts(
  before: string,
  after: string,
  { threshold = 5, json = false }: CompareCostsCommand,
): Promise<void> {
  const reports = [await readReport(before), await readReport(after)] as const;
  if (reports[0].protocol !== reports[1].protocol) {
    throw new CliError(
      'usage',
      `${before} is from protocol ${reports[0].protocol} and ${after} from ${reports[1].protocol}, so their costs cannot be compared.`,
    );
  }
  const comparison = compare(...reports, threshold);
  process.stdout.write(json ? `${JSON.stringify(comparison)}\n` : textOf(comparison));
  const { length } = comparison.over;
  if (length === 0) return;
  const what = length === 1 ? '1 cost rose' : `${length} costs rose`;
  throw new CliError('failed', `${what} by more than ${threshold} %.`);
}

async function readReport(path: string): Promise<Report> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliError('usage', `${path} cannot be read (${reason}).`, { cause: error });
  }
  const read = z.safeParse(costReport, parsed(text));
  if (read.success) return read.data;
  throw new CliError('usage', `${path} is not a cost report. Write one with --cost-report.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function compare(before: Report, after: Report, threshold: number): Comparison {
  const [old, current] = [byName(before), byName(after)];
  const changes: CostChange[] = [];
  for (const [name, now] of current) {
    const then = old.get(name);
    if (then === undefined) continue;
    for (const measure of MEASURES) {
      const [from, to] = [then[measure].mean, now[measure].mean];
      if (from === to) continue;
      const change = from === 0 ? Number.POSITIVE_INFINITY : ((to - from) / from) * 100;
      changes.push({ function: name, measure, before: from, after: to, change });
    }
  }
  changes.sort((a, b) => b.change - a.change);
  return {
    threshold,
    changes,
    over: changes.filter(({ change }) => change > threshold),
    onlyBefore: [...old.keys()].filter((name) => !current.has(name)),
    onlyAfter: [...current.keys()].filter((name) => !old.has(name)),
  };
}

function byName({ functions }: Report): ReadonlyMap<string, Report['functions'][number]> {
  return new Map(functions.map((one) => [`${one.contract}.${one.function}`, one]));
}

const UNITS = { cpuInstructions: 'CPU instructions', memoryBytes: 'bytes of memory' } as const;

function textOf({ changes, over, onlyBefore, onlyAfter }: Comparison): string {
  const rows = changes.map((one): readonly [string, string] => {
    const sign = one.change > 0 ? '+' : '';
    const percent = Number.isFinite(one.change) ? `${sign}${one.change.toFixed(1)} %` : 'from 0';
    const mark = over.includes(one) ? '  over' : '';
    return [
      one.function,
      `${count(one.before)} → ${count(one.after)} ${UNITS[one.measure]} (${percent})${mark}`,
    ];
  });
  const lines = [
    rows.length === 0 ? 'No cost changed.' : columns(rows),
    ...onlyBefore.map((name) => `Only before: ${name}`),
    ...onlyAfter.map((name) => `Only after: ${name}`),
  ];
  return `${lines.join('\n')}\n`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
