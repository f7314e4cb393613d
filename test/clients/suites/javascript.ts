import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type CaseResult, casesOfJunit } from '../results.ts';
import { absent, type Place, ran, type Suite, whereItIs } from '../suite.ts';
import { needTool, runTool } from '../tool.ts';

const NAME = '@stellar/stellar-sdk';
const tsx = import.meta.resolve('tsx');

/** Installs one version of a package in the suite's folder, once. */
async function installed(folder: string, version: string): Promise<void> {
  const note = join(folder, 'installed.txt');
  if (existsSync(note) && readFileSync(note, 'utf8') === version) return;
  const manifest = { private: true, type: 'module', dependencies: { [NAME]: version } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  await needTool('npm', args, { cwd: folder, seconds: 400 });
  writeFileSync(note, version);
}

/** The project's own calls over one version of the package. */
function calls(version: string): Suite {
  return {
    id: `npm-${version}`,
    client: `npm ${NAME} ${version}`,
    tests: 'operations, lists and methods (test/clients/npm)',
    async run(place: Place) {
      await installed(place.folder, version);
      const file = join(place.folder, 'calls.mjs');
      copyFileSync(join(place.own, 'npm', 'calls.mjs'), file);
      const { stdout, stderr } = await runTool(
        process.execPath,
        ['--test', '--test-reporter', 'junit', '--test-reporter-destination', 'stdout', file],
        { cwd: place.folder, env: whereItIs(place), seconds: 120 },
      );
      return ran(casesOfJunit(stdout), stderr || stdout);
    },
  };
}

/** The guides of the checkout, over the published package. Each is a script that throws where it stops working. */
const guides: Suite = {
  id: 'npm-guides',
  client: `npm ${NAME} 17.2.0`,
  tests: 'its guides (examples/guides of js-stellar-sdk)',
  async run(place) {
    const checkout = place.checkout('js-stellar-sdk');
    if (checkout === undefined) {
      return absent('no js-stellar-sdk in --suites; the npm package has no tests');
    }
    const folder = join(checkout, 'examples', 'guides');
    await installed(place.folder, '17.2.0');
    mkdirSync(join(place.folder, 'guides'), { recursive: true });
    const setup = join(place.folder, 'guides', 'setup.ts');
    copyFileSync(join(checkout, 'config', 'guides-local-setup.ts'), setup);
    const cases: CaseResult[] = [];
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.ts'))) {
      const file = join(place.folder, 'guides', basename(name));
      copyFileSync(join(folder, name), file);
      const { code, stderr } = await runTool(
        process.execPath,
        ['--import', tsx, '--import', setup, file],
        { cwd: place.folder, env: { QUICKSTART_URL: place.urls.http }, seconds: 120 },
      );
      const outcome = code === 0 ? 'passed' : 'failed';
      cases.push({ name, outcome, detail: code === 0 ? '' : stderr.trim() });
    }
    return ran(cases, 'no guides');
  },
};

/** The tests that the checkout runs against a network need programs that it does not hold. */
const endToEnd: Suite = {
  id: 'npm-e2e',
  client: `npm ${NAME}`,
  tests: 'its end-to-end tests (test/e2e of js-stellar-sdk)',
  async run(place) {
    const checkout = place.checkout('js-stellar-sdk');
    return absent(
      checkout === undefined
        ? 'no js-stellar-sdk in --suites; the npm package has no tests'
        : 'they need stellar-cli and contracts that it compiles; this script installs neither',
    );
  },
};

/** Suites of the JavaScript SDK: the newest, and the one that the published x402 packages use. */
export const javascript: readonly Suite[] = [calls('17.2.0'), calls('14.6.1'), guides, endToEnd];
