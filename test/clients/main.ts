/**
 * `npm run lab -- clients [--suites FOLDER] [--protocol 27|28] [--only ID,ID] [--write]`
 *
 * Points other people's clients, and their own tests where they are there, at an embedded network.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SupportedProtocol } from '../../network/src/hostModule.ts';
import { startLedger } from '../../network/src/index.ts';
import { count, failuresOfOurs, pageOf, reportOf, type SuiteRun } from './report.ts';
import { absent, type Suite, type SuiteResult } from './suite.ts';
import { golang } from './suites/golang.ts';
import { javascript } from './suites/javascript.ts';
import { pythonSuites } from './suites/python.ts';
import { x402 } from './suites/x402.ts';
import { PreparationError } from './tool.ts';

const SUITES: readonly Suite[] = [...javascript, ...pythonSuites, ...golang, ...x402];
const PROTOCOLS: readonly SupportedProtocol[] = [27, 28];
/** What outside suites expect of a local network. */
const LOCAL_PASSPHRASE = 'Standalone Network ; February 2017';

const { values } = parseArgs({
  options: {
    suites: { type: 'string' },
    protocol: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const own = fileURLToPath(new URL('.', import.meta.url));
const build = fileURLToPath(new URL('../../build/clients', import.meta.url));
const page = fileURLToPath(new URL('../../docs/evidence/clients.md', import.meta.url));
const only = values.only?.split(',');
const unknown = only?.filter((id) => SUITES.every((suite) => suite.id !== id)) ?? [];
const protocols = PROTOCOLS.filter((one) => (values.protocol ?? String(one)) === String(one));
if (unknown.length > 0 || protocols.length === 0) {
  const ids = SUITES.map(({ id }) => id).join(', ');
  console.error(`Choose --only from ${ids}, and --protocol from ${PROTOCOLS.join(', ')}.`);
  process.exit(2);
}

async function runSuite(suite: Suite, protocol: SupportedProtocol): Promise<SuiteResult> {
  const folder = join(build, suite.id);
  mkdirSync(folder, { recursive: true });
  const passphrase = LOCAL_PASSPHRASE;
  const ledger = await startLedger({ port: 0, protocol, passphrase });
  try {
    if (ledger.urls === null) throw new Error('the network has no port');
    return await suite.run({
      ...{ protocol, passphrase, folder, own },
      urls: ledger.urls,
      checkout(name) {
        const path = values.suites && join(resolve(values.suites), name);
        return path !== undefined && existsSync(path) ? path : undefined;
      },
    });
  } catch (error) {
    if (error instanceof PreparationError) return absent(error.message);
    throw error;
  } finally {
    await ledger.close();
  }
}

/** What the last run of each suite found, by protocol and suite: the page has all of it. */
const notes = join(build, 'results.json');

function noted(): Record<string, Pick<SuiteRun, 'result' | 'seconds'>> {
  return existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')) : {};
}

function note(protocol: number, { suite, result, seconds }: SuiteRun): void {
  const all = { ...noted(), [`${protocol} ${suite.id}`]: { result, seconds } };
  writeFileSync(notes, JSON.stringify(all, null, 1));
}

/** The last result of every suite. */
function lastRuns(protocol: number): SuiteRun[] {
  const all = noted();
  const never = { result: absent('it has not been run yet'), seconds: 0 };
  return SUITES.map((suite) => ({ suite, ...(all[`${protocol} ${suite.id}`] ?? never) }));
}

const byProtocol = new Map<number, SuiteRun[]>();
for (const protocol of protocols) {
  const runs: SuiteRun[] = [];
  byProtocol.set(protocol, runs);
  for (const suite of SUITES.filter(({ id }) => only === undefined || only.includes(id))) {
    const start = performance.now();
    const result = await runSuite(suite, protocol);
    const run = { suite, result, seconds: (performance.now() - start) / 1_000 };
    runs.push(run);
    note(protocol, run);
    const words =
      result.kind === 'absent'
        ? `not run: ${result.reason}`
        : `${count(result.cases, 'passed')} passed, ${count(result.cases, 'failed')} failed`;
    console.log(`protocol ${protocol}  ${suite.id.padEnd(18)} ${words}`);
    if (values.write) {
      writeFileSync(page, pageOf(new Map(PROTOCOLS.map((one) => [one, lastRuns(one)]))));
    }
  }
}
for (const [protocol, runs] of byProtocol) {
  console.log(`\nProtocol ${protocol}\n\n${reportOf(runs).join('\n')}`);
}

const runs = [...byProtocol.values()].flat();
const cases = runs.flatMap(({ result }) => (result.kind === 'ran' ? result.cases : []));
const ours = failuresOfOurs(runs);
const figures = (['passed', 'failed', 'skipped'] as const).map(
  (one) => `${count(cases, one)} ${one}`,
);
console.log(`\nclients: ${figures.join(', ')}; ${ours} not theirs`);
process.exit(ours === 0 ? 0 : 1);
