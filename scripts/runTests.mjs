// Runs the tests: every `*.test.ts` of the project, or those under the given paths.
// usage: node scripts/runTests.mjs [PATH…] [--name PATTERN] [--concurrency N] [--quick | --rest] [--alone] [--file-minutes N]
// --quick skips the unit tests that are slow by design; --rest runs those and everything under test and
// network/test. Tests share processes where nothing hinders it: starting one, and compiling the host again, takes longer than most
// of them, and halves their processor time. --alone gives each its own.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import { compileTests, sharedProcesses } from './compileTests.mjs';

/** Unit tests with many rounds. They take two thirds of the time of src, and changes rarely break them. */
const LONG = [
  'network/src/host/contractCode.test.ts',
  'network/src/host/endurance.test.ts',
  'network/src/host/recovery.test.ts',
  'network/src/transaction/operations/accountOperations.property.test.ts',
  'network/src/transaction/operations/marketProperties.test.ts',
  'network/src/transaction/operations/pathPayment.test.ts',
  'src/server/search/memory/memoryIndex.test.ts',
  'src/server/search/memory/vectorIndex.test.ts',
  'src/server/search/sql/sqlIndex.test.ts',
];

/**
 * Tests that change or measure something of their whole process: its memory, signals, standard streams, environment or
 * processor time. They do not share one.
 */
const OWN_PROCESS = [
  /^src\/cli\//,
  /^network\/src\/(host|simulator|http|rpc|persistence)\//,
  /^common\/machine\//,
  /^src\/machine\//,
  /^src\/extension\//,
  /^src\/server\/(?!search\/|facilitator\/schemes\/|facilitator\/limits\/|settlement\/)/,
];
/**
 * What a test that starts services does to its whole process, by its text: hooks outside of a suite, which would be those of all
 * files, and what belongs to the process.
 */
const TOUCHES_PROCESS =
  /^(?:before|after|beforeEach|afterEach)\(|process\.(?!versions?\b|platform\b|execPath\b|cwd\b)|globalThis|\bmock\.|performance\.|globalAgent|Dispatcher|setDefaultResultOrder|spawn|exec(?:File)?(?:Sync)?\(|Worker|[pP]rocess\(/m;
/** Takes as long as all others of a process together. */
const LONGEST = 'test/docs/quickstarts.test.ts';
/** Unit tests that share one process. */
const UNITS_A_PROCESS = 24;
/** Tests with services that share one process: each leaves something in its memory. */
const SERVICES_A_PROCESS = 8;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    concurrency: { type: 'string', default: '2' },
    quick: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    // A file, or a process of several, that takes longer is stopped and fails, so that the others still report.
    'file-minutes': { type: 'string', default: '15' },
  },
});

const moved = LONG.filter((file) => !existsSync(join(root, file)));
if (moved.length > 0) {
  console.error(`LONG in scripts/runTests.mjs names files that do not exist: ${moved.join(', ')}.`);
  process.exit(1);
}
/** Folders whose tests are next to their code. */
const UNITS = ['common', 'network/src', 'src', 'bench'];
/** Folders of tests that start processes and networks. */
const WHOLE = ['network/test', 'test'];
const all = values.quick ? UNITS : values.rest ? [...WHOLE, ...LONG] : [...UNITS, ...WHOLE];
const places = positionals.length > 0 ? positionals : all;
/** Tests that need root and Debian's proxies, and restart services for minutes: a stage of .ci/run runs them. */
const ON_REQUEST = join(root, 'test', 'operate');
/** A stage of its own in .ci/run, which runs `--rest` beside it. */
const REHEARSAL = join(root, 'test', 'reset');
const files = places
  .flatMap((place) => testFiles(resolve(root, place)))
  .filter((file) => positionals.length > 0 || !file.startsWith(ON_REQUEST))
  .filter((file) => positionals.length > 0 || !values.rest || !file.startsWith(REHEARSAL))
  .filter((file) => !values.quick || !LONG.some((long) => file === join(root, long)))
  .sort();
if (files.length === 0) {
  console.error(`No *.test.ts under ${places.join(', ')}.`);
  process.exit(1);
}

const units = values.alone ? [] : files.filter(isSharedUnit);
const services = values.alone ? [] : files.filter(isSharedService);
const alone = files.filter((file) => !units.includes(file) && !services.includes(file));
const reporter = pathToFileURL(join(root, 'scripts', 'testReporter.mjs')).href;
const measures = process.env.CI_TIMES
  ? [`--import=${pathToFileURL(join(root, 'scripts', 'fileTimes.mjs')).href}`]
  : [];
const compiled = await compileTests(files);
const of = (some) => some.map((file) => compiled[files.indexOf(file)]);
const child = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    ...measures,
    '--test',
    `--test-concurrency=${values.concurrency}`,
    `--test-timeout=${Number(values['file-minutes']) * 60_000}`,
    `--test-reporter=${reporter}`,
    ...(values.name ? [`--test-name-pattern=${values.name}`] : []),
    ...sharedProcesses(of(services), SERVICES_A_PROCESS),
    ...sharedProcesses(of(units), UNITS_A_PROCESS),
    ...of(alone),
  ],
  { cwd: root, stdio: 'inherit' },
);
child.on('close', (code) => process.exit(code ?? 1));

function isSharedService(file) {
  const path = relative(root, file).split(sep).join('/');
  return (
    WHOLE.some((folder) => path.startsWith(`${folder}/`)) &&
    path.endsWith('.test.ts') &&
    path !== LONGEST &&
    !TOUCHES_PROCESS.test(readFileSync(file, 'utf8'))
  );
}

function isSharedUnit(file) {
  const path = relative(root, file).split(sep).join('/');
  return (
    UNITS.some((folder) => path.startsWith(`${folder}/`)) &&
    !LONG.includes(path) &&
    !OWN_PROCESS.some((pattern) => pattern.test(path))
  );
}

function testFiles(place) {
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(place, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
