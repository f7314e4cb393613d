/**
 * `npm run lab -- payments [--payments N] [--rate N] [--close 5s]`
 *
 * Three instances on PostgreSQL behind HAProxy settle payments while one of two RPC providers is slow, dead, limited and
 * forgetful in turn, and while each instance is restarted. Prints what became of them, and ends with status 1 unless every payment
 * settled once and was answered so. The whole exercise is `--payments 3000 --rate 10 --close 5s`.
 */
import { parseArgs } from 'node:util';
import { positiveNumber, wholeNumber } from '../helpers/options.ts';
import { postgresMissing } from '../store/privatePostgres.ts';
import { isInstalled } from './machine.ts';
import { faultsOf, payMany, tableOf } from './manyPayments.ts';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '60' },
    rate: { type: 'string', default: '2' },
    close: { type: 'string', default: '1s' },
  },
});

const payments = wholeNumber('--payments', values.payments);
const rate = positiveNumber('--rate', values.rate);
if (postgresMissing !== undefined || !isInstalled('haproxy')) {
  console.error(postgresMissing ?? 'HAProxy is not installed: apt-get install haproxy');
  process.exit(1);
}
const report = await payMany({
  payments,
  rate,
  close: values.close,
  print: (line) => console.log(`  … ${line}`),
});
console.log(`\nthree instances, ${values.rate} payments a second, a ledger every ${values.close}`);
for (const line of tableOf(report)) console.log(line);
const faults = faultsOf(report);
if (faults.length > 0) {
  console.error(`FAILED: ${faults.join('; ')}`);
  const { payments, rate, close } = values;
  console.error(
    `run alone: npm run lab -- payments --payments ${payments} --rate ${rate} --close ${close}`,
  );
}
process.exit(faults.length > 0 ? 1 : 0);
