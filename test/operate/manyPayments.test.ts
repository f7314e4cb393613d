import assert from 'node:assert/strict';
import { it } from 'node:test';
import { postgresMissing } from '../store/privatePostgres.ts';
import { isInstalled } from './machine.ts';
import { faultsOf, payMany, tableOf } from './manyPayments.ts';

const missing = isInstalled('haproxy') ? postgresMissing : 'no haproxy: apt-get install haproxy';

it('Every payment settles once behind HAProxy while a provider fails and instances restart', {
  skip: missing ?? false,
}, async () => {
  const report = await payMany({ payments: 60, rate: 2, close: '1s', print: () => undefined });
  assert.deepEqual(faultsOf(report), [], tableOf(report).join('\n'));
});
