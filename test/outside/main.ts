/**
 * `npm run lab -- outside [--short] [--payments N] [--seed S] [--behaviours a,b] [--store sqlite|postgres]`
 *
 * Sells through facilitators whose RPC server, clients, disk, clock, database and processes misbehave,
 * and compares every answer that was delivered with what the ledger has at the end.
 */
import { parseArgs } from 'node:util';
import { oneOf, wholeNumber } from '../helpers/options.ts';
import { postgresMissing } from '../store/privatePostgres.ts';
import { BEHAVIOURS, behavioursNamed } from './behaviours.ts';
import { closingLine, failed, tellReport } from './report.ts';
import { type OutsideReport, runOutside } from './runOutside.ts';
import type { StoreKind } from './world.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    payments: { type: 'string' },
    seed: { type: 'string', default: '1' },
    behaviours: { type: 'string' },
    store: { type: 'string' },
  },
});

/** Payments of the short form, over both stores: each behaviour once on each. */
const SHORT = 2 * BEHAVIOURS.length;
const STORES: readonly StoreKind[] = ['sqlite', 'postgres', 'apart', 'failover'];
/** Without a name, those of the standard run. */
const stores =
  values.store === undefined ? STORES.slice(0, 2) : [oneOf('--store', values.store, STORES)];
const payments = wholeNumber('--payments', values.payments ?? `${values.short ? SHORT : 2_000}`);
const seed = wholeNumber('--seed', values.seed, 0);
const behaviours =
  values.behaviours === undefined ? BEHAVIOURS : behavioursNamed(values.behaviours.split(','));

if (postgresMissing !== undefined && stores.includes('postgres')) {
  console.error(postgresMissing);
  process.exit(1);
}
const reports: OutsideReport[] = [];
for (const store of stores) {
  console.log(`\n${store}: ${Math.ceil(payments / stores.length)} payments`);
  const report = await runOutside({
    store,
    payments: Math.ceil(payments / stores.length),
    seed,
    behaviours,
    say: (line) => console.log(`  … ${line}`),
  });
  tellReport(report);
  if (failed(report)) {
    const { payments: sold, seed } = report.options;
    const named = values.behaviours === undefined ? '' : ` --behaviours ${values.behaviours}`;
    console.error(
      `run alone: npm run lab -- outside --store ${store} --payments ${sold} --seed ${seed}${named}`,
    );
  }
  reports.push(report);
}
console.log(`\n${closingLine(reports)}`);
process.exit(reports.some(failed) ? 1 : 0);
