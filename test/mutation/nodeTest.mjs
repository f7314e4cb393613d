// Takes the place of `node:test` in the bundles: tests are noted, and the runner runs them.

/** @typedef {{ name: string, run: (context: object) => unknown }} Test */
/** `reaches` names what the suite's own lines reach while it is described. */
/** @typedef {{ name: string, reaches?: string, tests: Test[], suites: Suite[], hooks: Record<string, (() => unknown)[]> }} Suite */

/** @returns {Suite} */
const suite = (name) => ({
  name,
  tests: [],
  suites: [],
  hooks: { before: [], after: [], beforeEach: [], afterEach: [] },
});

/** All suites of this bundle. */
export const root = suite('');
let current = root;
let suites = 0;
const skipped = process.env.MUTATION_SKIP ? new RegExp(process.env.MUTATION_SKIP) : undefined;
globalThis.__stryker__ ??= {};
const instrumented = globalThis.__stryker__;

export function describe(name, ...rest) {
  const [options] = rest;
  if (skipped?.test(name) || (typeof options === 'object' && options.skip)) return;
  const outer = current;
  const before = instrumented.currentTestId;
  current = suite(name);
  outer.suites.push(current);
  suites += 1;
  current.reaches = `what describes ${suites}`;
  instrumented.currentTestId = current.reaches;
  try {
    rest.at(-1)();
  } finally {
    current = outer;
    instrumented.currentTestId = before;
  }
}

export function it(name, ...rest) {
  const [options] = rest;
  if (skipped?.test(name)) return;
  if (typeof options === 'object' && options.skip) return;
  current.tests.push({ name, run: rest.at(-1) });
}

describe.skip = () => {};
it.skip = () => {};
export const test = it;

const hook = (kind) => (run) => {
  current.hooks[kind].push(run);
};
export const before = hook('before');
export const after = hook('after');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
