import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type CaseResult, casesOfGo } from '../results.ts';
import { absent, ran, type Suite, whereItIs } from '../suite.ts';
import { runTool } from '../tool.ts';

const MODULE = 'github.com/stellar/go-stellar-sdk';
const VERSION = 'v0.7.3';
const GO_MOD = `module clients\n\ngo 1.25\n\nrequire ${MODULE} ${VERSION}\n`;

const calls: Suite = {
  id: 'go',
  client: `Go ${MODULE} ${VERSION}`,
  tests: 'horizonclient and rpcclient over every operation and effect (test/clients/go)',
  async run(place) {
    const own = join(place.own, 'go');
    for (const name of readdirSync(own)) copyFileSync(join(own, name), join(place.folder, name));
    if (!existsSync(join(place.folder, 'go.mod'))) {
      writeFileSync(join(place.folder, 'go.mod'), GO_MOD);
    }
    const { stdout, stderr } = await runTool('go', ['test', '-count=1', '-json', '.'], {
      cwd: place.folder,
      env: { ...whereItIs(place), GOFLAGS: '-mod=mod' },
      seconds: 400,
    });
    return ran(casesOfGo(stdout), stderr || stdout);
  },
};

const friendbot: Suite = {
  id: 'friendbot',
  client: 'friendbot',
  tests: 'its integration tests (stellar/friendbot), a friendbot on our Horizon and RPC',
  async run(place) {
    const checkout = place.checkout('friendbot');
    if (checkout === undefined) return absent('no friendbot in --suites');
    const folder = join(place.folder, 'friendbot');
    rmSync(folder, { recursive: true, force: true });
    cpSync(checkout, folder, { recursive: true });
    const { stdout, stderr } = await runTool(
      'go',
      ['test', '-count=1', '-json', '-run', 'Integration', '.'],
      {
        cwd: folder,
        env: { ...whereItIs(place), HORIZON_URL: `${place.urls.http}/` },
        seconds: 400,
      },
    );
    return ran(casesOfGo(stdout), stderr || stdout);
  },
};

/** Programs of Quickstart that wait for a part that the embedded network does not have. */
const NOT_HERE: Readonly<Record<string, string>> = {
  'test_core.go': "stellar-core's own port is not part of the embedded network",
  'test_galexie.go': 'galexie is not part of the embedded network',
};

const quickstart: Suite = {
  id: 'quickstart',
  client: 'Quickstart',
  tests: 'its tests (tests/ of stellar/quickstart)',
  async run(place) {
    const checkout = place.checkout('quickstart');
    const tests = checkout && join(checkout, 'tests');
    if (tests === undefined || !existsSync(tests)) return absent('no quickstart in --suites');
    const cases: CaseResult[] = [];
    for (const name of readdirSync(tests).filter((one) => one.endsWith('.go'))) {
      const missing = NOT_HERE[name];
      if (missing !== undefined) {
        cases.push({ name, outcome: 'skipped', detail: missing });
        continue;
      }
      const file = join(place.folder, name);
      const text = readFileSync(join(tests, name), 'utf8');
      writeFileSync(file, text.replaceAll('localhost:8000', `localhost:${place.urls.port}`));
      // A program that is not content asks again for ever.
      const run = await runTool('go', ['run', file], { cwd: place.folder, seconds: 60 });
      const words = run.stderr.trim().split('\n').slice(-3).join(' ');
      cases.push(
        run.code === 0
          ? { name, outcome: 'passed', detail: '' }
          : { name, outcome: 'failed', detail: words },
      );
    }
    return ran(cases, 'no tests');
  },
};

/** Suites in Go. */
export const golang: readonly Suite[] = [calls, friendbot, quickstart];
