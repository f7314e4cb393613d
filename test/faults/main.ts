/**
 * `npm run lab -- faults [--short] [--store postgres|sqlite] [--seed N] [--payments N] [--kills N]`
 *
 * Kills facilitators with `kill -9` at every step of `/settle` while buyers pay through an RPC server
 * that is at fault, and compares the answers that buyers got with the ledger.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { oneOf, wholeNumber } from '../helpers/options.ts';
import { postgresMissing } from '../store/privatePostgres.ts';
import { type FaultReport, type FaultRunOptions, runFaults } from './faultRun.ts';
import { ANY_MOMENT } from './slot.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// As deep as the sources, which find files of the project relative to themselves.
const folder = `${root}build/faults/${process.pid}`;
const program = `${folder}/instance.mjs`;

/** One file that starts in a moment: it is started hundreds of times. */
async function bundleInstance(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    entryPoints: ['test/faults/instance.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    mainFields: ['module', 'main'],
    external: ['pg-native', 'node-sqlite3-wasm'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  // What a bundle of the service has beside it.
  await build({
    absWorkingDir: root,
    entryPoints: ['src/server/catalog/declaration/schemaWorker.ts'],
    outfile: `${folder}/schema-worker.js`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
  });
  copyFileSync(`${root}src/server/search/semantic/words.bin`, `${folder}/search-words.bin`);
}

function tell(report: FaultReport): void {
  const { killsByStep, rpcFaults, gaveUp, answers, options, ...counts } = report;
  const line = (name: string, value: unknown) => console.log(`  ${name.padEnd(34)} ${value}`);
  console.log(`\n${options.store}, ${options.instances} instances, seed ${options.seed}`);
  line('payments presented', counts.purchases);
  line('authorizations signed', counts.authorizations);
  line('requests to /settle', counts.requests);
  line('settled on the ledger', counts.settledOnLedger);
  line('answered as settled', counts.answeredSettled);
  line('counted by the catalog', counts.countedInCatalog);
  line('not paid', counts.unpaid);
  line('lost (settled, not answered)', counts.lost);
  line('double', counts.double);
  line('answered, not on the ledger', counts.phantom);
  line('leaked channels', counts.leakedChannels);
  line('unfinished in the journal', counts.unfinishedInJournal);
  line('stroops still reserved', counts.reserved);
  line('kills', counts.kills);
  line('seconds', counts.seconds);
  for (const [step, kills] of Object.entries(killsByStep)) line(`  killed ${step}`, kills);
  for (const [kind, met] of Object.entries(rpcFaults)) line(`  rpc fault: ${kind}`, met);
  for (const [why, times] of Object.entries(answers)) line(`  answered: ${why}`, times);
  for (const [why, buyers] of Object.entries(gaveUp)) line(`  gave up: ${why}`, buyers);
}

function faultsOf(report: FaultReport): string[] {
  const zero = [
    'lost',
    'double',
    'phantom',
    'unpaid',
    'leakedChannels',
    'unfinishedInJournal',
  ] as const;
  const found = zero.filter((name) => report[name] !== 0).map((name) => `${name}: ${report[name]}`);
  if (report.reserved !== 0n) found.push(`reserved: ${report.reserved}`);
  if (report.kills < report.options.kills) found.push(`only ${report.kills} kills`);
  if (report.settledOnLedger !== report.answeredSettled) found.push('ledger and answers differ');
  if (report.countedInCatalog !== report.settledOnLedger) found.push('ledger and catalog differ');
  const missed = Object.entries(report.killsByStep).filter(
    ([step, kills]) => kills === 0 && step !== ANY_MOMENT,
  );
  if (missed.length > 0) found.push(`never killed at: ${missed.map(([step]) => step).join(', ')}`);
  return found;
}

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    store: { type: 'string' },
    seed: { type: 'string', default: '1' },
    payments: { type: 'string' },
    kills: { type: 'string' },
  },
});

const seed = wholeNumber('--seed', values.seed, 0);
const STORES = ['postgres', 'sqlite'] as const;
const only = values.store === undefined ? undefined : oneOf('--store', values.store, STORES);
const say = (line: string): void => console.log(`  … ${line}`);
const sizes = values.short
  ? { postgres: { payments: 300, kills: 75 }, sqlite: { payments: 120, kills: 42 } }
  : { postgres: { payments: 2_000, kills: 500 }, sqlite: { payments: 300, kills: 84 } };
const runs: FaultRunOptions[] = STORES.filter((store) => only === undefined || only === store).map(
  (store) => ({
    store,
    seed,
    payments: wholeNumber('--payments', values.payments ?? `${sizes[store].payments}`),
    kills: wholeNumber('--kills', values.kills ?? `${sizes[store].kills}`, 0),
    instances: store === 'postgres' ? 3 : 1,
    buyers: 24,
    program,
    say,
  }),
);

if (postgresMissing !== undefined && runs.some(({ store }) => store === 'postgres')) {
  console.error(postgresMissing);
  process.exit(1);
}
await bundleInstance();
let failed = false;
for (const options of runs) {
  console.log(`\n${options.store}: ${options.payments} payments, ${options.kills} kills`);
  const report = await runFaults(options);
  tell(report);
  const faults = faultsOf(report);
  if (faults.length > 0) {
    failed = true;
    console.error(`FAILED (seed ${seed}): ${faults.join('; ')}`);
    const { store, payments, kills } = options;
    console.error(
      `run alone: npm run lab -- faults --store ${store} --payments ${payments} --kills ${kills} --seed ${seed}`,
    );
  }
}
process.exit(failed ? 1 : 0);
