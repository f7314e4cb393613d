import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOfJunit } from '../results.ts';
import { absent, type Place, ran, type Suite, type SuiteResult, whereItIs } from '../suite.ts';
import { needTool, runTool } from '../tool.ts';

const VERSION = '16.1.1';
/** The SDK, and what its own tests import. */
const PACKAGES = [
  `stellar-sdk[aiohttp]==${VERSION}`,
  'pytest==9.2.0',
  'pytest-asyncio==1.5.0',
  'pytest-httpserver==1.2.0',
  'pytest-timeout==2.4.0',
];

/** Installs the packages in a virtual environment of the suite's folder, once, and returns its Python. */
async function python(folder: string): Promise<string> {
  const program = join(folder, 'venv', 'bin', 'python');
  const note = join(folder, 'venv', 'packages.txt');
  const wanted = PACKAGES.join('\n');
  if (existsSync(note) && readFileSync(note, 'utf8') === wanted) return program;
  rmSync(join(folder, 'venv'), { recursive: true, force: true });
  await needTool('python3', ['-m', 'venv', 'venv'], { cwd: folder, seconds: 60 });
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES];
  await needTool(program, install, { cwd: folder, seconds: 240 });
  writeFileSync(note, wanted);
  return program;
}

async function pytest(
  place: Place,
  program: string,
  cwd: string,
  args: readonly string[],
): Promise<SuiteResult> {
  const report = join(place.folder, 'report.xml');
  rmSync(report, { force: true });
  const { stdout, stderr } = await runTool(
    program,
    ['-m', 'pytest', '-q', '--timeout', '100', '--junitxml', report, ...args],
    { cwd, env: whereItIs(place), seconds: 240 },
  );
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  return ran(casesOfJunit(xml), stderr || stdout);
}

const calls: Suite = {
  id: 'pypi',
  client: `PyPI stellar-sdk ${VERSION}`,
  tests: 'operations, lists and methods (test/clients/python)',
  async run(place) {
    const program = await python(place.folder);
    const cache = ['-p', 'no:cacheprovider', '--rootdir', place.folder];
    return await pytest(place, program, place.folder, [
      ...cache,
      join(place.own, 'python', 'test_calls.py'),
    ]);
  },
};

/** Rewrites the addresses that the checkout's tests have as constants. */
function point(folder: string, place: Place): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.py')) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const pointed = text.replaceAll('127.0.0.1:8000', `127.0.0.1:${place.urls.port}`);
    if (pointed !== text) writeFileSync(file, pointed);
  }
}

const integration: Suite = {
  id: 'pypi-integration',
  client: `PyPI stellar-sdk ${VERSION}`,
  tests: 'its integration tests (tests/ of py-stellar-base)',
  async run(place) {
    const checkout = place.checkout('py-stellar-base');
    if (checkout === undefined) {
      return absent('no py-stellar-base in --suites; the source archive has no tests');
    }
    const program = await python(place.folder);
    const tests = join(place.folder, 'tests');
    rmSync(tests, { recursive: true, force: true });
    cpSync(join(checkout, 'tests'), tests, { recursive: true });
    point(tests, place);
    const files = ['tests/contract', 'tests/test_transaction_builder.py'];
    return await pytest(place, program, place.folder, [
      ...['--integration', '-m', 'integration'],
      ...files,
    ]);
  },
};

/** Suites of the Python SDK. */
export const pythonSuites: readonly Suite[] = [calls, integration];
