// Compiles tests and the project's modules that they import to JavaScript under build/compiled, so that Node can load them
// directly. A TypeScript loader in each of four hundred processes costs more than most of the tests.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, version } from 'esbuild';
import { root } from './prepare.mjs';

const compiled = join(root, 'build', 'compiled');
const graphFile = join(compiled, 'graph.json');

/**
 * Compiles changed files and imports, and returns the path of each file's JavaScript.
 *
 * @param {readonly string[]} files absolute paths of `.ts` files in the project
 * @returns {Promise<string[]>}
 */
export async function compileTests(files) {
  const known = readGraph();
  /** @type {Map<string, {stamp: string, imports: string[]}>} */
  const graph = new Map();
  let waiting = [...files];
  while (waiting.length > 0) {
    const stale = [];
    for (const file of new Set(waiting)) {
      const stamp = stampOf(file);
      const before = known.get(file);
      if (before?.stamp === stamp) graph.set(file, before);
      else {
        graph.set(file, { stamp, imports: [] });
        stale.push(file);
      }
    }
    const found = waiting.flatMap((file) => graph.get(file)?.imports ?? []);
    if (stale.length > 0) found.push(...(await compile(stale, graph)));
    waiting = found.filter((file) => !graph.has(file));
  }
  // The project's own package.json sets no module type, because the editor loads the extension with `require`.
  replace(join(compiled, 'package.json'), '{"type":"module"}');
  replace(graphFile, JSON.stringify({ version, files: [...new Map([...known, ...graph])] }));
  return files.map(compiledPath);
}

/**
 * The source of a file that `compileTests` named.
 *
 * @param {string} file
 */
export function sourceOf(file) {
  const inside = relative(compiled, file);
  return inside.startsWith('..') ? file : join(root, inside.replace(/\.js$/, '.ts'));
}

/**
 * Writes programs that each load some of these compiled tests, one after the other, and returns their paths.
 *
 * @param {readonly string[]} files that `compileTests` returned
 * @param {number} most files in one program
 * @returns {string[]}
 */
export function sharedProcesses(files, most) {
  const count = Math.ceil(files.length / most);
  const groups = Array.from({ length: count }, (_, at) =>
    files.filter((_, index) => index % count === at),
  );
  return groups.map((group) => {
    const text = group.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)});`);
    const name = createHash('sha256').update(text.join()).digest('hex').slice(0, 16);
    const path = join(compiled, 'shared', `${name}.js`);
    replace(path, `${text.join('\n')}\n`);
    return path;
  });
}

/** @param {string} file */
function compiledPath(file) {
  return join(compiled, relative(root, file)).replace(/\.ts$/, '.js');
}

/**
 * Compiles files one by one, records their imports, and returns all imported files.
 *
 * @param {string[]} files
 * @param {Map<string, {stamp: string, imports: string[]}>} graph
 */
async function compile(files, graph) {
  /** @type {string[]} */
  const found = [];
  const result = await build({
    entryPoints: files,
    outdir: compiled,
    outbase: root,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.10',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'silent',
    // `import.meta` still names the source: modules read files beside themselves and start child processes from sources.
    define: { 'import.meta.url': '__sourceUrl', 'import.meta.dirname': '__sourceFolder' },
    plugins: [{ name: 'one-by-one', setup: (esbuild) => keepApart(esbuild, graph, found) }],
  });
  for (const { path, contents } of result.outputFiles) replace(path, contents);
  return found;
}

/**
 * @param {import('esbuild').PluginBuild} esbuild
 * @param {Map<string, {stamp: string, imports: string[]}>} graph
 * @param {string[]} found
 */
function keepApart({ onResolve, onLoad }, graph, found) {
  onResolve({ filter: /.*/ }, ({ kind, path, importer, resolveDir }) => {
    if (kind === 'entry-point') return undefined;
    if (!path.startsWith('.')) return { path, external: true };
    const file = resolve(resolveDir, path);
    if (extname(file) !== '.ts') return { path: pathToFileURL(file).href, external: true };
    graph.get(importer)?.imports.push(file);
    found.push(file);
    return { path: path.replace(/\.ts$/, '.js'), external: true };
  });
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8').replace(/^#!/, '//');
    const own = [
      ['__sourceUrl', pathToFileURL(path).href],
      ['__sourceFolder', dirname(path)],
    ].map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
    // On the first line, so that the lines of a stack match the source.
    return { contents: `${own.join(' ')} ${text}`, loader: 'ts' };
  });
}

/** Files compiled before by this version of the compiler. */
function readGraph() {
  try {
    const read = JSON.parse(readFileSync(graphFile, 'utf8'));
    return new Map(read.version === version ? read.files : []);
  } catch {
    return new Map();
  }
}

/** @param {string} file */
function stampOf(file) {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}

/**
 * Replaces a file atomically, because another run might be reading it.
 *
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
function replace(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(beside, contents);
  renameSync(beside, path);
}
