// Mutation tests: `npm run lab -- mutation [TARGET…] [--seed N] [--share F]`. The mutants of a target are tested one after the
// other; the results go to docs/evidence/mutation.md. A second run tests only what changed; mutants of lines that run while
// files are loaded are tested again only with `--fresh`. With `--report` alone, the page is written from the last runs.

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import { targets } from '../test/mutation/targets.mjs';
import { writeScores } from '../test/mutation/writeScores.mjs';
import { install, requireNode, root } from './prepare.mjs';

const tools = join(root, 'test', 'mutation');
const results = join(root, 'build', 'mutation');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    share: { type: 'string' },
    report: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !(name in targets));
if (unknown.length > 0) {
  console.error(
    `No target is called ${unknown.join(', ')}. There are: ${Object.keys(targets).join(', ')}.`,
  );
  process.exit(2);
}

requireNode();
if (!values.report) {
  await install(root, tools);
  for (const name of positionals.length > 0 ? positionals : Object.keys(targets)) {
    const server = targets[name].postgres === true ? await startPostgres() : undefined;
    try {
      const code = await mutate(name, server);
      if (code !== 0) process.exit(code);
    } finally {
      await server?.close();
    }
  }
}
writeScores(root, results);

/** Tests that need PostgreSQL share one server: a mutant would otherwise cost the start of another. */
async function startPostgres() {
  const { startPrivatePostgres } = await import('../test/store/privatePostgres.ts');
  const server = await startPrivatePostgres();
  return { url: await server.createDatabase(), close: () => server.close() };
}

async function mutate(name, server) {
  const { mutate, tests, share = 1, whole = [], skip = '' } = targets[name];
  const chosen = Number(values.share ?? share);
  const modules = join(tools, 'node_modules', '@stryker-mutator');
  const settings = {
    mutate: [...mutate, '!**/*.test.ts'],
    ignorePatterns: [
      '**',
      '!common/**',
      '!network/**',
      '!src/**',
      '!test/**',
      '!package.json',
      'test/editor',
      '**/node_modules',
    ],
    tempDirName: join('build', 'mutation', 'sandbox', name),
    testRunner: 'in-process',
    maxTestRunnerReuse: 100,
    buildCommand: 'node test/mutation/bundleTests.mjs',
    coverageAnalysis: 'perTest',
    checkers: chosen < 1 ? ['sample'] : [],
    plugins: [join(tools, 'runner.mjs'), join(tools, 'sample.mjs')],
    concurrency: 1,
    timeoutMS: 30_000,
    incremental: true,
    force: values.fresh,
    incrementalFile: join('build', 'mutation', `${name}.incremental.json`),
    disableTypeChecks: false,
    reporters: ['json', 'clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: join('build', 'mutation', `${name}.json`) },
    allowEmpty: false,
    thresholds: { high: 80, low: 80, break: null },
  };
  mkdirSync(results, { recursive: true });
  const file = join(results, `${name}.config.json`);
  writeFileSync(file, JSON.stringify(settings, undefined, 2));
  return await run([join(modules, 'core', 'bin', 'stryker.js'), 'run', file], {
    MUTATION_ROOT: root,
    MUTATION_TESTS: JSON.stringify(tests.flatMap(testFiles)),
    MUTATION_SKIP: skip,
    MUTATION_SEED: values.seed,
    MUTATION_SHARE: String(chosen),
    MUTATION_WHOLE: JSON.stringify(whole),
    ...(server === undefined ? {} : { DATABASE_URL: server.url }),
  });
}

function run(args, environment) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function testFiles(place) {
  if (statSync(join(root, place)).isFile()) return [place];
  return readdirSync(join(root, place), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(place, file))
    .sort();
}
