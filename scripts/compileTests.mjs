// Compiles tests, the project's modules that they import and the largest packages to JavaScript under build/compiled. Node loads a
// few files then instead of two thousand, and no TypeScript: in each of three hundred processes that costs more than most tests.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

const compiled = join(root, 'build', 'compiled');
/** Each run has its own folder, since what its files share depends on which they are. */
const own = join(compiled, String(process.pid));

/** Packages of many files. The others are loaded from node_modules. */
const BUNDLED =
  /^(@stellar\/stellar-sdk|zod|hono|@hono\/node-server|@modelcontextprotocol\/server|prom-client)(\/|$)/;

/** Programs of threads. From its source, each would load a TypeScript loader and hundreds of files. */
const PROGRAMS = [
  'network/src/rpc/simulationWorker.ts',
  'src/server/catalog/declaration/schemaWorker.ts',
].map((file) => join(root, file));

/**
 * Compiles test files, and returns the path of each one's JavaScript. A module that two tests import is one module, also if both
 * run in one process. The folder is removed when this process ends.
 *
 * @param {readonly string[]} files absolute paths of `.ts` files in the project
 * @returns {Promise<string[]>}
 */
export async function compileTests(files) {
  removeLeftovers();
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  mkdirSync(own, { recursive: true });
  // The project's own package.json sets no module type, because the editor loads the extension with `require`.
  writeFileSync(join(own, 'package.json'), '{"type":"module"}');
  const require = `__createRequire(${JSON.stringify(pathToFileURL(join(root, 'package.json')).href)})`;
  const compiledPrograms = Object.fromEntries(
    PROGRAMS.map((file) => [pathToFileURL(file).href, pathToFileURL(compiledPath(file)).href]),
  );
  await build({
    entryPoints: [...files, ...PROGRAMS],
    outdir: own,
    outbase: root,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.10',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'silent',
    // `import.meta` still names the source: modules read files beside themselves and start child processes from sources.
    define: {
      'import.meta.url': '__sourceUrl',
      'import.meta.dirname': '__sourceFolder',
      COMPILED_PROGRAMS: JSON.stringify(compiledPrograms),
    },
    // CommonJS packages require Node's modules.
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = ${require};`,
    },
    plugins: [{ name: 'sources', setup: bundleSources }],
  });
  return files.map(compiledPath);
}

/**
 * The source of a file that `compileTests` named.
 *
 * @param {string} file
 */
export function sourceOf(file) {
  const inside = relative(compiled, file);
  if (inside.startsWith('..')) return file;
  return join(root, inside.split(sep).slice(1).join(sep).replace(/\.js$/, '.ts'));
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
    const hash = createHash('sha256').update(text.join()).digest('hex').slice(0, 8);
    // The table of slow files names the process by its first file.
    const first = relative(own, group[0])
      .replaceAll(sep, '-')
      .replace(/(?:\.test)?\.js$/, '');
    const name = `${first}-and-${group.length - 1}-more-${hash}`;
    const path = join(own, 'shared', `${name}.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text.join('\n')}\n`);
    return path;
  });
}

/** @param {string} file */
function compiledPath(file) {
  return join(own, relative(root, file)).replace(/\.ts$/, '.js');
}

/** @param {import('esbuild').PluginBuild} esbuild */
function bundleSources({ onResolve, onLoad }) {
  onResolve({ filter: /.*/ }, ({ kind, path, importer, resolveDir }) => {
    if (kind === 'entry-point' || !importer.endsWith('.ts')) return undefined;
    if (!path.startsWith('.')) return BUNDLED.test(path) ? undefined : { path, external: true };
    const file = resolve(resolveDir, path);
    if (extname(file) !== '.ts') return { path: pathToFileURL(file).href, external: true };
    return { path: file };
  });
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8').replace(/^#!/, '//');
    const names = [
      ['__sourceUrl', pathToFileURL(path).href],
      ['__sourceFolder', dirname(path)],
    ].map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
    // On the first line, so that the lines of a stack match the source.
    return { contents: `${names.join(' ')} ${text}`, loader: 'ts' };
  });
}

/** Removes the folders of runs that were killed. */
function removeLeftovers() {
  if (!existsSync(compiled)) return;
  for (const name of readdirSync(compiled)) {
    if (!isRunning(Number(name))) rmSync(join(compiled, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
