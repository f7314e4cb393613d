// What the generator does to every route of a folder of cloned projects. Nothing of them is run.
// usage: npm run lab -- corpus FOLDER [--json FILE] [--places FILE] [--prettier MODULE] [--rounds N] [--no-types]

import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { routesUnder } from '../../../src/cli/code/routeFile.ts';
import { diskFiles } from '../../../src/cli/code/userProject.ts';
import * as code from '../../../src/codegen/index.ts';
import { wholeNumber } from '../../helpers/options.ts';
import { newComplaints } from '../complaints.ts';
import { placesInText } from './callsInText.ts';
import { type Formatter, formatterOf } from './formatting.ts';
import { type JudgedFile, judgeFile } from './judgeFile.ts';
import { type Counts, countsOf, sum, table } from './report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    places: { type: 'string' },
    prettier: { type: 'string' },
    rounds: { type: 'string' },
    'no-types': { type: 'boolean', default: false },
  },
});
const [given] = positionals;
if (given === undefined || !existsSync(given)) {
  if (given !== undefined) console.error(`There is no folder ${given}.`);
  console.error('usage: npm run lab -- corpus FOLDER [--json FILE] [--prettier MODULE]');
  process.exit(2);
}
const folder = resolve(given);
/** Routes of a file that are tried: hundreds in one file take a minute. */
const most =
  values.rounds === undefined
    ? Number.POSITIVE_INFINITY
    : wholeNumber('--rounds', values.rounds, 0);
const prettier: Formatter | undefined = values.prettier
  ? await formatterOf(values.prettier)
  : undefined;
const projects = existsSync(join(folder, 'package.json'))
  ? ['.']
  : readdirSync(folder)
      .filter((name) => statSync(join(folder, name)).isDirectory())
      .sort();

const rows: { readonly project: string; readonly counts: Counts }[] = [];
const faults: string[] = [];
const places: object[] = [];
for (const project of projects) {
  const root = join(folder, project);
  const files: JudgedFile[] = [];
  for await (const read of routesUnder(root, {}, code)) {
    const facts = await code.writingFacts(read.file, read.project, diskFiles);
    const judged = judgeFile(read.path, read.source, facts, most);
    const at = relative(folder, read.path);
    files.push(judged);
    for (const { route, line, refusal, tried, parsed, removed } of judged.routes) {
      places.push({ file: at, line, found: `${route.framework} ${route.method} ${route.path}` });
      if (refusal || !tried) continue;
      const name = `${at}:${line} ${route.method} ${route.path}`;
      if (!parsed) faults.push(`does not parse: ${name}`);
      if (!removed) faults.push(`not removed byte for byte: ${name}`);
    }
    for (const place of placesInText(read.path, read.source.text)) {
      places.push({ file: at, ...place });
    }
  }
  const typed = values['no-types'] ? new Map() : typesOf(root, files);
  for (const [path, fresh] of typed) {
    for (const complaint of fresh) faults.push(`type error in ${project}, ${path}: ${complaint}`);
  }
  const kept = prettier ? await prettier(root, files) : undefined;
  for (const path of kept?.spoilt ?? []) faults.push(`no longer formatted: ${project}/${path}`);
  rows.push({ project, counts: countsOf(files, typed, kept) });
  console.error(`${project}: ${rows.at(-1)?.counts.found} found`);
  // A run of hours that is stopped leaves what it has counted.
  write();
}
const all = sum(rows.map(({ counts }) => counts));
console.log(table([...rows, { project: 'all', counts: all }]));
for (const fault of faults) console.log(fault);
// What TypeScript or a formatter says is for people to judge; these two are promises.
process.exitCode = faults.some((fault) => /^(does not parse|not removed)/.test(fault)) ? 1 : 0;

function write(): void {
  const all = sum(rows.map(({ counts }) => counts));
  if (values.json) {
    writeFileSync(
      values.json,
      `${JSON.stringify({ projects: rows, all, faults }, undefined, 2)}\n`,
    );
  }
  if (values.places) writeFileSync(values.places, `${JSON.stringify(places, undefined, 1)}\n`);
}

/**
 * New complaints about the TypeScript files of a project with all their payments. Where the project has
 * its packages installed, the compiler reads them; elsewhere it knows only the frameworks.
 */
function typesOf(
  root: string,
  files: readonly JudgedFile[],
): ReadonlyMap<string, readonly string[]> {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  const installed = existsSync(join(root, 'node_modules')) ? root : undefined;
  for (const { path: file, source, allSold } of files) {
    if (allSold === undefined || !/\.[cm]?tsx?$/.test(file)) continue;
    const path = installed ? file : `/corpus/${relative(root, file)}`;
    before.set(path, source.text);
    after.set(path, allSold);
  }
  return before.size === 0 ? new Map() : newComplaints(before, after, installed);
}
