// Bundles each test of a target out of Stryker's copy of the sources, where this runs. What tests read
// beside their code is read from the project itself (MUTATION_ROOT).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const project = process.env.MUTATION_ROOT;
const tests = JSON.parse(process.env.MUTATION_TESTS);

await build({
  entryPoints: tests.map((file, order) => ({ in: `tests:${file}`, out: nameOf(file, order) })),
  outdir: 'bundled',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  ignoreAnnotations: true,
  logLevel: 'error',
  plugins: [
    { name: 'tests', setup: exportTests },
    { name: 'places', setup: keepPlaces },
  ],
});

/** The name changes with the test, so that an earlier run's results are not mistaken for the new one's. */
function nameOf(file, order) {
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);
  const name = file.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return `${String(order).padStart(2, '0')}-${name}-${digest}`;
}

/** A bundle runs a test's file and exports what it noted. */
function exportTests(esbuild) {
  const noted = join(process.cwd(), 'test', 'mutation', 'nodeTest.mjs');
  esbuild.onResolve({ filter: /^node:test$/ }, () => ({ path: noted }));
  esbuild.onResolve({ filter: /^tests:/ }, ({ path }) => ({
    path: path.slice('tests:'.length),
    namespace: 'tests',
  }));
  esbuild.onLoad({ filter: /./, namespace: 'tests' }, ({ path }) => ({
    resolveDir: process.cwd(),
    contents: `import './${path}'; export { root } from ${JSON.stringify(noted)};`,
  }));
}

function keepPlaces(esbuild) {
  esbuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.url')) return;
    const place = pathToFileURL(join(project, relative(process.cwd(), path))).href;
    return { loader: 'ts', contents: text.replaceAll('import.meta.url', JSON.stringify(place)) };
  });
}
