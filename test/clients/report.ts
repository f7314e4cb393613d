import { judgementOf } from './judged.ts';
import type { CaseResult } from './results.ts';
import type { Suite, SuiteResult } from './suite.ts';

/** A suite, what became of it, and how long it took. */
export interface SuiteRun {
  readonly suite: Suite;
  readonly result: SuiteResult;
  readonly seconds: number;
}

/** How many tests had this outcome. */
export function count(cases: readonly CaseResult[], outcome: CaseResult['outcome']): number {
  return cases.filter((one) => one.outcome === outcome).length;
}

/** Failures that nobody has judged, and those that are the network's own: what makes a run fail. */
export function failuresOfOurs(runs: readonly SuiteRun[]): number {
  return failuresOf(runs).filter(({ whose }) => whose !== 'theirs').length;
}

interface Failure {
  readonly run: SuiteRun;
  readonly name: string;
  readonly whose: 'ours' | 'theirs' | 'not judged';
  readonly reason: string;
}

function failuresOf(runs: readonly SuiteRun[]): Failure[] {
  return runs.flatMap((run) =>
    run.result.kind === 'absent'
      ? []
      : run.result.cases
          .filter(({ outcome }) => outcome === 'failed')
          .map(({ name, detail }) => {
            const judged = judgementOf(run.suite.id, name);
            const reason = judged?.reason ?? detail.replaceAll(/\s+/g, ' ').slice(0, 300);
            return { run, name, whose: judged?.whose ?? 'not judged', reason };
          }),
  );
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function figures({ suite, result, seconds }: SuiteRun): string {
  if (result.kind === 'absent') return row([suite.client, suite.tests, 'not run', '', '', '']);
  const { cases } = result;
  return row([
    suite.client,
    suite.tests,
    count(cases, 'passed'),
    count(cases, 'failed'),
    count(cases, 'skipped'),
    `${seconds.toFixed(0)} s`,
  ]);
}

/** The lines of a run: the table, each failure with its cause, each test and suite that was left out. */
export function reportOf(runs: readonly SuiteRun[]): string[] {
  const failures = failuresOf(runs);
  const skipped = runs.flatMap(({ suite, result }) =>
    result.kind === 'absent'
      ? [`- ${suite.client}, ${suite.tests}: ${result.reason}.`]
      : result.cases
          .filter(({ outcome }) => outcome === 'skipped')
          .map(({ name, detail }) => `- ${suite.client}, \`${name}\`: ${detail}.`),
  );
  return [
    row(['Client', 'Suite', 'Passed', 'Failed', 'Skipped', 'Time']),
    '|---|---|---|---|---|---|',
    ...runs.map(figures),
    ...(failures.length === 0 ? [] : ['', 'Failures:', '']),
    ...failures.map(
      ({ run, name, whose, reason }) =>
        `- **${whose}**: ${run.suite.client}, \`${name}\`: ${reason}.`,
    ),
    ...(skipped.length === 0 ? [] : ['', 'Not run:', '']),
    ...skipped,
  ];
}

/** The page with the figures of every protocol that was run. */
export function pageOf(byProtocol: ReadonlyMap<number, readonly SuiteRun[]>): string {
  return [
    "# Other people's clients",
    '',
    '`npm run lab -- clients` installs pinned clients from their package registries, points them at a new embedded network each, and',
    'writes the last result of each suite to this page (`--write`). It needs npm, Python 3 and Go. `--suites FOLDER` names a folder with checkouts of',
    '`js-stellar-sdk`, `py-stellar-base`, `friendbot` and `quickstart`, whose own tests run too; without it they are listed as not',
    'run. `--protocol 27` or `28` runs one protocol, `--only ID,ID` some suites. The default CI run does not include it.',
    '',
    "The Go suite does more than call: it decodes each answer into the client's types, encodes it again, and fails where a member was",
    'lost, added or changed on the way.',
    '',
    'Each failure is **ours** (a fault of the network), **theirs** (with the reason), or **not judged**. A run fails unless every',
    'failure is theirs.',
    ...[...byProtocol].flatMap(([protocol, runs]) => [
      '',
      `## Protocol ${protocol}`,
      '',
      ...reportOf(runs),
    ]),
    '',
  ].join('\n');
}
