/**
 * `npm run lab -- soak [--minutes 30] [--seed N] [--instances 3] [--rate R] [--write-docs [--note TEXT]]`
 *
 * Mixed traffic on several facilitators that share PostgreSQL, at half of what they can, while the
 * ledger's RPC stalls, instances are killed, the database restarts and clocks are stepped. At the end
 * the answers that buyers got are compared with the ledger, to the stroop.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { positiveNumber, wholeNumber } from '../helpers/options.ts';
import { postgresMissing } from '../store/privatePostgres.ts';
import type { SoakReport } from './report.ts';
import { runSoak } from './runSoak.ts';
import { writeSoakDocument } from './writeSoakDocument.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const evidence = join(root, 'docs', 'evidence');

function tell({ account, latency, codes, faults, violations, ...run }: SoakReport): void {
  const line = (name: string, value: unknown) => console.log(`  ${name.padEnd(34)} ${value}`);
  console.log(`\n${run.seconds} s at ${run.rate.toFixed(1)} a second, seed ${run.options.seed}`);
  for (const [name, value] of Object.entries(account)) {
    line(name, typeof value === 'object' ? JSON.stringify(value) : value);
  }
  line('begun, held back', `${run.begun}, ${run.heldBack}`);
  line('faults', faults.length);
  for (const [kind, { count, p50, p99 }] of Object.entries(latency)) {
    line(`  ${kind}`, `${count}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    for (const [code, times] of Object.entries(codes[kind] ?? {})) line(`    ${code}`, times);
  }
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    instances: { type: 'string', default: '3' },
    rate: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
    note: { type: 'string' },
  },
});
if (postgresMissing !== undefined) {
  console.error(postgresMissing);
  process.exit(1);
}
const report = await runSoak({
  minutes: positiveNumber('--minutes', values.minutes),
  seed: wholeNumber('--seed', values.seed, 0),
  instances: wholeNumber('--instances', values.instances),
  rate: values.rate === undefined ? undefined : positiveNumber('--rate', values.rate),
  say: (line) => console.log(`  … ${line}`),
});
const folder = join(root, 'build', 'soak');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'report.json'), JSON.stringify(report));
tell(report);
await writeSoakDocument(
  report,
  values['write-docs']
    ? { page: join(evidence, 'soak.md'), pictures: join(evidence, 'pictures', 'soak') }
    : { page: join(folder, 'soak.md'), pictures: join(folder, 'pictures') },
  values.note,
);
if (report.violations.length > 0) {
  const { minutes, seed, instances } = report.options;
  console.error(`FAILED (seed ${seed}): ${report.violations.join('; ')}`);
  const rate = values.rate === undefined ? '' : ` --rate ${values.rate}`;
  console.error(
    `run alone: npm run lab -- soak --minutes ${minutes} --seed ${seed} --instances ${instances}${rate}`,
  );
}
process.exit(report.violations.length > 0 ? 1 : 0);
