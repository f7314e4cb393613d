// Which stage runs next, how many tests a log reports, and where the slowest test files spend their time. Tested in
// test/scripts/ciSchedule.test.ts.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the stages with these names, and those that must pass before them.
 *
 * @template {{ name: string, after?: readonly string[] }} S
 * @param {readonly S[]} all
 * @param {readonly string[]} names
 * @returns {S[]}
 */
export function withNeeds(all, names) {
  const unknown = names.filter((name) => !all.some((stage) => stage.name === name));
  if (unknown.length > 0) throw new Error(`no stage is called ${unknown.join(', ')}`);
  const wanted = new Set(names);
  // A chosen stage runs even if the quick one was not chosen.
  const needs = (name) => all.find((stage) => stage.name === name)?.after ?? [];
  for (const name of wanted) {
    for (const need of needs(name)) if (need !== 'quick') wanted.add(need);
  }
  return all
    .filter(({ name }) => wanted.has(name))
    .map((stage) => ({ ...stage, after: (stage.after ?? []).filter((name) => wanted.has(name)) }));
}

/**
 * Returns the stage to start now; `undefined` if there is none. A failed stage keeps those after it from running, and a failed
 * `quick` all others. The longest comes first. One lane is for what computes and the others are for what waits, as long as there is such a stage.
 *
 * @template {{ name: string, usual: number, after?: readonly string[], waits?: boolean }} S
 * @param {readonly S[]} stages
 * @param {ReadonlyMap<string, { status: string }>} ended
 * @param {ReadonlyMap<string, S>} running
 * @param {number} lanes
 * @returns {S | undefined}
 */
export function next(stages, ended, running, lanes) {
  if (running.size >= lanes) return undefined;
  const quick = ended.get('quick');
  if (quick !== undefined && quick.status !== 'ok') return undefined;
  const ready = stages.filter(
    ({ name, after = [] }) =>
      !ended.has(name) &&
      !running.has(name) &&
      after.every((need) => ended.get(need)?.status === 'ok'),
  );
  const waiting = [...running.values()].filter(({ waits }) => waits === true).length;
  const computing = running.size - waiting;
  const fits = ready.filter(({ waits }) =>
    waits === true ? waiting < Math.max(1, lanes - 1) : computing < 1,
  );
  // `quick` comes first, since its failure ends the run; `pack` next, since the longest stages need it.
  const rank = ({ name, usual }) => (name === 'quick' ? 1_000 : name === 'pack' ? 999 : usual);
  return [...(fits.length > 0 ? fits : ready)].sort((one, other) => rank(other) - rank(one))[0];
}

/**
 * Totals the tests that a log reports, from the closing lines "N passed, N failed" of our own runners, node:test and cargo. If
 * there was a second try, the first does not count.
 *
 * @param {string} log
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(log) {
  let [passed, failed] = [0, 0];
  let before = { passed, failed };
  for (const line of log.split('\n')) {
    if (line === '=== first try') before = { passed, failed };
    if (line === '=== second try') ({ passed, failed } = before);
    const own =
      /^(\d+) passed, (\d+) failed/.exec(line) ??
      /^test result: \S+ (\d+) passed; (\d+) failed/.exec(line);
    if (own) [passed, failed] = [passed + Number(own[1]), failed + Number(own[2])];
    const node = /^ℹ (pass|fail) (\d+)$/.exec(line);
    if (node?.[1] === 'pass') passed += Number(node[2]);
    if (node?.[1] === 'fail') failed += Number(node[2]);
  }
  return { passed, failed };
}

/** Lines of one failure that the end of a run repeats, from its beginning and from its end. */
const FIRST_LINES = 14;
const LAST_LINES = 8;

/**
 * What a log says about failed tests: name, message and the command that runs it alone, shortened. Of a stage that failed
 * without naming a test, its last lines.
 *
 * @param {string} log
 * @returns {string[]} each once
 */
export function failuresOf(log) {
  /** @type {Map<string, string>} by the command that repeats it: a second try repeats the failure */
  const found = new Map();
  /** @type {string[] | undefined} */
  let open;
  for (const line of log.split('\n')) {
    if (line.startsWith('--- ')) open = [];
    if (line.startsWith('run alone: ')) {
      found.set(line, [...shortened(open ?? []), line].join('\n'));
      open = undefined;
    } else open?.push(line);
  }
  if (found.size > 0) return [...found.values()];
  return [
    log
      .trimEnd()
      .split('\n')
      .slice(-FIRST_LINES - LAST_LINES)
      .join('\n'),
  ];
}

/** @param {string[]} lines */
function shortened(lines) {
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
}

/**
 * The test files that took longest, from what `scripts/fileTimes.mjs` wrote.
 *
 * @param {string} folder
 * @param {number} most
 */
export function slowest(folder, most) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, most);
}

/** @param {ReturnType<typeof slowest>} files */
export function waitTable(files) {
  const kinds = [...new Set(files.flatMap(({ waits }) => Object.keys(waits)))].sort();
  const head = ['total', 'own', 'children', 'idle', ...kinds]
    .map((name) => name.padStart(9))
    .join('');
  const number = (value = 0) => value.toFixed(1).padStart(9);
  const rows = files.map(
    ({ file, seconds, processor, children, idle, waits }) =>
      `${[seconds, processor, children, idle, ...kinds.map((kind) => waits[kind])].map(number).join('')}  ${file}`,
  );
  return [head, ...rows].join('\n');
}
