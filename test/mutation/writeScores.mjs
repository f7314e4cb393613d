import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targets } from './targets.mjs';

const DEAD = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage'];

/**
 * Writes docs/evidence/mutation.md from the last run of each target. A target without one keeps its row and its section.
 *
 * @param {string} root of the project
 * @param {string} results where the runs left their reports
 */
export function writeScores(root, results) {
  const page = join(root, 'docs', 'evidence', 'mutation.md');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const written = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const parts = Object.entries(targets).flatMap(([name, target]) => {
    const path = join(results, `${name}.json`);
    if (!existsSync(path)) return partOf(written, name) ?? [];
    const files = filesOf(JSON.parse(readFileSync(path, 'utf8')));
    const all = files.flatMap(({ statuses }) => statuses);
    console.log(`${name}: ${score(all)} of ${count(all, [...DEAD, ...ALIVE])}`);
    const day = statSync(path).mtime.toISOString().slice(0, 10);
    return {
      row: rowOf(name, target, all, `${version}, ${day}`),
      section: sectionOf(name, target, files),
    };
  });
  const lines = [
    '# Mutation tests',
    '',
    '<!-- Made by `npm run lab -- mutation`; changes here are overwritten. -->',
    '',
    'A mutation test changes one thing in the code, a comparison, a constant, a condition, and runs the',
    'tests: if none fails, nothing holds that line. `npm run lab -- mutation TARGET` tries the mutants of',
    'Stryker 9.6.1 one after the other, with the fast tests that answer for the target; tests that take',
    'many seconds are left out. A mutant that does not come to an end counts as killed. Aim: 80 %.',
    '',
    '| Target | What | Mutants | Killed | Timed out | Survived | Not reached | Score | Version, day |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    ...parts.map(({ row }) => row),
    ...parts.flatMap(({ section }) => ['', section]),
    '',
  ];
  writeFileSync(page, lines.join('\n'));
}

/** What an earlier run wrote about a target. */
function partOf(page, name) {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`));
  const section = page.split(/\n(?=## )/).find((part) => part.startsWith(`## ${name}\n`));
  return row === undefined || section === undefined ? undefined : { row, section: section.trim() };
}

function rowOf(name, { about }, all, when) {
  const cells = ['Killed', 'Timeout', 'Survived', 'NoCoverage'].map((one) => count(all, [one]));
  const tried = count(all, [...DEAD, ...ALIVE]);
  return `| ${name} | ${about} | ${tried} | ${cells.join(' | ')} | ${score(all)} | ${when} |`;
}

function sectionOf(name, target, files) {
  const remarks = target.remarks ?? [];
  const sample = `A seeded sample of ${target.share * 100} % of the mutants (\`--seed 1\`)${allOf(target)}.`;
  return [
    `## ${name}`,
    '',
    ...(target.share === undefined ? [] : [sample, '']),
    ...remarks.map((remark) => `- ${remark}`),
    ...(remarks.length > 0 ? [''] : []),
    '| File | Mutants | Alive | Score |',
    '| --- | ---: | ---: | ---: |',
    ...files.map(
      ({ path, statuses }) =>
        `| \`${path}\` | ${count(statuses, [...DEAD, ...ALIVE])} | ${count(statuses, ALIVE)} | ${score(statuses)} |`,
    ),
  ].join('\n');
}

function filesOf({ files }) {
  return Object.entries(files)
    .map(([path, { mutants }]) => ({ path, statuses: mutants.map(({ status }) => status) }))
    .filter(({ statuses }) => count(statuses, [...DEAD, ...ALIVE]) > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function allOf({ whole = [] }) {
  return whole.length === 0 ? '' : `, and all of ${whole.map((file) => `\`${file}\``).join(', ')}`;
}

const count = (statuses, of) => statuses.filter((status) => of.includes(status)).length;

function score(statuses) {
  const tried = count(statuses, [...DEAD, ...ALIVE]);
  return tried === 0 ? '' : `${((100 * count(statuses, DEAD)) / tried).toFixed(1)} %`;
}
