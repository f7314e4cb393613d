// Counts what a newcomer meets: files, lines, folders, barrels, files with a single importer in their own folder, and base names
// with several meanings, for each product. Tests are left out. Imports are read by TypeScript's own scanner.
// usage: node scripts/house.mjs [FOLDER of a checkout] [--list single|barrels|names|short]

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import ts from 'typescript';
import { root } from './prepare.mjs';

/** Files that a reader takes in at a glance. */
const SHORT = 30;
/** The sources of each product, by its name; a folder that a checkout does not have is left out. */
const PRODUCTS = { network: ['network/src'], payments: ['src'], both: ['common'] };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string' } },
});
const checkout = resolve(positionals[0] ?? root);
const files = Object.entries(PRODUCTS).flatMap(([product, folders]) =>
  folders.flatMap((folder) => sources(join(checkout, folder)).map((path) => read(product, path))),
);
const byPath = new Map(files.map((file) => [file.path, file]));
for (const { path, imports } of files) {
  for (const imported of imports) byPath.get(imported)?.importers.add(path);
}

const measured = Object.keys(PRODUCTS).flatMap((product) => {
  const own = files.filter((file) => file.product === product);
  return own.length === 0 ? [] : [[product, measure(own)]];
});
if (measured.length > 1) measured.push(['all', measure(files)]);
const rows = Object.keys(measured[0]?.[1] ?? {});
console.log(`| | ${measured.map(([product]) => product).join(' | ')} |`);
console.log(`|---|${'---|'.repeat(measured.length)}`);
for (const row of rows) {
  console.log(`| ${row} | ${measured.map(([, figures]) => figures[row]).join(' | ')} |`);
}
if (values.list !== undefined) list(values.list);

/** TypeScript that ships. */
function sources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /(?<!\.test|\.d)\.ts$/.test(entry.name) ? [path] : [];
  });
}

function read(product, path) {
  const text = readFileSync(path, 'utf8');
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const imports = importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => resolve(dirname(path), fileName));
  const lines = text.split('\n').length - 1;
  return { product, path, lines, imports: new Set(imports), importers: new Set() };
}

function measure(some) {
  const lines = some.map((file) => file.lines).sort((one, other) => one - other);
  const names = repeatedNames(some);
  const named = names.reduce((sum, [, paths]) => sum + paths.length, 0);
  return {
    files: some.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    'median lines': lines[Math.floor(lines.length / 2)],
    [`files of ${SHORT} lines or fewer`]: lines.filter((count) => count <= SHORT).length,
    'longest file': lines.at(-1),
    folders: new Set(some.map(({ path }) => dirname(path))).size,
    'barrels (`index.ts`)': some.filter(isBarrel).length,
    'files with one importer, in the same folder': some.filter(isSingle).length,
    'base names of several files': `${names.length} (${named} files)`,
  };
}

function isBarrel({ path }) {
  return basename(path) === 'index.ts';
}

/** A barrel does not read: what it passes on is imported where its names are used. */
function isSingle({ path, importers }) {
  const [importer, ...others] = [...importers].filter((one) => !isBarrel({ path: one }));
  if (importer === undefined || others.length > 0) return false;
  return dirname(importer) === dirname(path);
}

function repeatedNames(some) {
  const names = new Map();
  for (const file of some) {
    if (isBarrel(file)) continue;
    const name = basename(file.path);
    names.set(name, [...(names.get(name) ?? []), file.path]);
  }
  return [...names].filter(([, paths]) => paths.length > 1);
}

function list(what) {
  const inCheckout = (path) => relative(checkout, path).split(sep).join('/');
  const lists = {
    single: () =>
      files
        .filter(isSingle)
        .map(
          ({ path, lines, importers }) =>
            `${inCheckout(path)} ${lines} ${[...importers].map((one) => basename(one))}`,
        ),
    barrels: () => files.filter(isBarrel).map(({ path, lines }) => `${inCheckout(path)} ${lines}`),
    names: () =>
      Object.keys(PRODUCTS).flatMap((product) =>
        repeatedNames(files.filter((file) => file.product === product)).map(
          ([name, paths]) => `${name}: ${paths.map(inCheckout).join(', ')}`,
        ),
      ),
    short: () =>
      files
        .filter(({ lines }) => lines <= SHORT)
        .map(({ path, lines }) => `${inCheckout(path)} ${lines}`),
  };
  if (lists[what] === undefined) {
    console.error(`--list takes one of: ${Object.keys(lists).join(', ')}`);
    process.exit(2);
  }
  console.log(`\n${lists[what]().join('\n')}`);
}
