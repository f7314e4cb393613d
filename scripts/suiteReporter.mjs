// For suites that run under node:test directly, such as test/editor/*.ui.mjs: what the reporter `spec` prints, and then each
// failure with its message and the command that runs it alone.
// usage: node --test --test-reporter=./scripts/suiteReporter.mjs FILE…

import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec as Spec } from 'node:test/reporters';

/** Variables that a suite may need, as far as they are set. */
const VARIABLES = [
  ...['EDITOR_DIR', 'PICTURES', 'VSIX', 'CHROMIUM', 'WINDOWS_HOME', 'LOCK_ROUNDS'],
  ...['REQUIRE_POLICY_CLIENTS', 'PYTHON'],
];

export default async function* suiteReporter(events) {
  const failures = [];
  const noted = (async function* () {
    for await (const event of events) {
      if (event.type === 'test:fail' && isOwnFailure(event.data)) {
        failures.push(describeFailure(event.data));
      }
      yield event;
    }
  })();
  yield* Readable.from(noted).pipe(new Spec());
  for (const failure of failures) yield `\n${failure}\n`;
}

/** A suite whose tests failed did not fail itself. */
function isOwnFailure({ details }) {
  return details?.error?.failureType !== 'subtestsFailed';
}

function describeFailure({ file, name, details }) {
  const place = file ? relative(process.cwd(), file) : '(no file)';
  const cause = details?.error?.cause ?? details?.error;
  return `--- ${place}: ${name}\n${cause?.message ?? cause}\nrun alone: ${runAlone(place, name)}`;
}

/**
 * Returns the command that runs one test.
 *
 * @param {string} file relative to the root
 * @param {string} name
 */
function runAlone(file, name) {
  const set = VARIABLES.filter((variable) => process.env[variable]).map(
    (variable) => `${variable}=${quoted(process.env[variable])} `,
  );
  const pattern = quoted(name.replaceAll(/[.*+?^${}()|[\]\\"'`]/g, '.'));
  if (file.endsWith('.ts')) {
    return `${set.join('')}node scripts/runTests.mjs ${file} --name ${pattern}`;
  }
  // Suites of an editor and of Windows are one walk: each test begins where the one before ended.
  if (/^test\/(editor|windows)\//.test(file)) return `${set.join('')}node --test ${file}`;
  return `${set.join('')}node --test --test-name-pattern=${pattern} ${file}`;
}

function quoted(text) {
  return /^[\w./:-]+$/.test(text) ? text : `"${text}"`;
}
