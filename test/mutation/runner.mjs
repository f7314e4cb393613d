// Stryker's tests run in its own process: a mutant costs the tests that reach it, not the start of Node
// and the reading of packages. The project's code is loaded again for every mutant; packages stay.

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { determineHitLimitReached, toMutantRunResult } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';

// One counterexample kills; the smallest is not looked for.
fc.configureGlobal({ endOnFailure: true });

/** What the instrumented code looks at. */
globalThis.__stryker__ ??= {};
const instrumented = globalThis.__stryker__;

class InProcess {
  #loads = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    instrumented.activeMutant = undefined;
    instrumented.mutantCoverage = { static: {}, perTest: {} };
    const tests = await this.#run({ wanted: undefined, bail: false });
    return { status: 'complete', tests, mutantCoverage: instrumented.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    instrumented.hitCount = hitLimit === undefined ? undefined : 0;
    instrumented.hitLimit = hitLimit;
    instrumented.mutantCoverage = { static: {}, perTest: {} };
    instrumented.activeMutant = activeMutant.id;
    const wanted = testFilter && new Set(testFilter);
    const tests = await this.#run({ wanted, bail: !disableBail });
    return toMutantRunResult(
      determineHitLimitReached(instrumented.hitCount, hitLimit) ?? { status: 'complete', tests },
    );
  }

  async #run({ wanted, bail }) {
    const results = [];
    const folder = join(process.cwd(), 'bundled');
    const files = readdirSync(folder).filter(
      (file) => file.endsWith('.mjs') && (!wanted || [...wanted].some((id) => id.startsWith(file))),
    );
    const strays = [];
    const noteStray = (reason) => strays.push(reason);
    process.on('unhandledRejection', noteStray);
    try {
      for (const file of files.sort()) {
        this.#loads += 1;
        const { failure, value } = await attempt(
          () => import(`${pathToFileURL(join(folder, file)).href}?load=${this.#loads}`),
        );
        if (failure) {
          const id = [...(wanted ?? [file])].find((each) => each.startsWith(file)) ?? file;
          results.push(failed(about(id, { file }), failure, 0));
        } else await runSuite(value.root, { file, path: file, wanted, bail, results, strays }, []);
        if (bail && results.some(({ status }) => status !== 0)) break;
      }
    } finally {
      process.off('unhandledRejection', noteStray);
    }
    return results;
  }
}

/** Runs a suite's tests, or those wanted, in their order; `outer` are the suites around it. */
async function runSuite(suite, run, outer) {
  const { wanted, bail, results } = run;
  const path = suite.name === '' ? run.path : `${run.path} > ${suite.name}`;
  const around = [...outer, suite];
  const ids = idsOf(suite, path);
  if (wanted && !ids.some((id) => wanted.has(id))) return;
  spread(suite.reaches, ids);
  const broken = await covering(ids, () => all(suite.hooks.before));
  for (const [index, test] of suite.tests.entries()) {
    const id = idOf(path, index, test);
    if (wanted && !wanted.has(id)) continue;
    if (bail && results.some(({ status }) => status !== 0)) break;
    results.push(broken ? failed(about(id, run), broken, 0) : await runTest(id, test, run, around));
  }
  for (const inner of suite.suites) {
    if (bail && results.some(({ status }) => status !== 0)) break;
    await runSuite(inner, { ...run, path }, around);
  }
  await covering(ids, () => all(suite.hooks.after));
}

async function runTest(id, test, run, around) {
  const start = performance.now();
  run.strays.length = 0;
  instrumented.currentTestId = id;
  const cleanUps = [];
  const context = { after: (clean) => cleanUps.push(clean), diagnostic: () => {}, name: test.name };
  let { failure } = await attempt(async () => {
    for (const { hooks } of around) await all(hooks.beforeEach);
    await test.run(context);
  });
  for (const clean of cleanUps) failure ??= (await attempt(clean)).failure;
  for (const { hooks } of around.toReversed()) {
    failure ??= (await attempt(() => all(hooks.afterEach))).failure;
  }
  instrumented.currentTestId = undefined;
  const timeSpentMs = performance.now() - start;
  failure ??= run.strays[0] && { message: String(run.strays[0]) };
  if (failure) return failed(about(id, run), failure, timeSpentMs);
  return { ...about(id, run), timeSpentMs, status: 0 };
}

/** What a hook reaches counts for every test of its suite. */
async function covering(ids, hook) {
  const shared = `hook of ${ids[0]}`;
  instrumented.currentTestId = shared;
  const { failure } = await attempt(hook);
  instrumented.currentTestId = undefined;
  spread(shared, ids);
  return failure;
}

/** Counts what was reached under one name for these tests. */
function spread(shared, ids) {
  const { perTest } = instrumented.mutantCoverage;
  const reached = perTest[shared];
  if (!reached) return;
  delete perTest[shared];
  for (const id of ids) {
    perTest[id] ??= {};
    for (const [mutant, times] of Object.entries(reached)) {
      perTest[id][mutant] = (perTest[id][mutant] ?? 0) + times;
    }
  }
}

function idsOf(suite, path) {
  return [
    ...suite.tests.map((test, index) => idOf(path, index, test)),
    ...suite.suites.flatMap((inner) => idsOf(inner, `${path} > ${inner.name}`)),
  ];
}

/** Names of tests by their ids. */
const names = new Map();

/**
 * Stryker sends the ids of all tests that reach a mutant with it, in one text for all mutants. With whole names it was longer
 * than a text can be.
 */
function idOf(path, index, test) {
  const name = `${path} > ${index} ${test.name}`;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 12);
  const id = `${path.split(' > ')[0]} ${digest}`;
  names.set(id, name.slice(name.indexOf(' > ') + 3));
  return id;
}

const about = (id, { file }) => ({ id, name: names.get(id) ?? id, fileName: file });

/** Statuses of tests are Stryker's numbers: 0 passed, 1 failed. */
function failed(test, failure, timeSpentMs) {
  return { ...test, timeSpentMs, status: 1, failureMessage: String(failure.message ?? failure) };
}

async function all(runs) {
  for (const run of runs) await run();
}

async function attempt(run) {
  try {
    return { value: await run() };
  } catch (error) {
    return { failure: error ?? new Error('nothing was thrown') };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess)];
