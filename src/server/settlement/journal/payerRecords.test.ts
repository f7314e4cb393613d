import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PAYER } from '../../../../test/support/payment.ts';
import { parseContractAddress } from '../../../protocol/index.ts';
import { type Database, openStore } from '../../store/index.ts';
import { openPayerRecords, type PayerRecords } from './payerRecords.ts';

const ASSET = parseContractAddress('CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA');

describe('The records of a payer in the journal of all instances', () => {
  let database: Database;
  let records: PayerRecords;
  before(async () => {
    database = await openStore({ databaseUrl: null, dataFolder: null });
    records = openPayerRecords(database);
    const rows = [
      ['a', 'mine', 'submitting', 0, 100],
      ['b', 'other', 'claimed', 0, 110],
      ['c', 'other', 'submitting', 0, 120],
      ['d', 'other', 'failed', 70, 200],
      ['e', 'other', 'failed', 80, 300],
      // Dropped, so the sponsor paid nothing for it.
      ['f', 'other', 'failed', 0, 310],
      ['g', 'mine', 'settled', 90, 320],
      ['h', 'earlier', 'settled', 60, 330],
    ] as const;
    for (const [id, instance, state, fee, at] of rows) {
      await database.run(
        `INSERT INTO settlements (id, digest, instance, state, answer, catalog, expiration_ledger,
           worst_fee, payer, asset, amount, fee_charged, claimed_at, updated_at)
         VALUES (?, '', ?, ?, 'given', 'none', 1, 500, ?, ?, '5', ?, ?, ?)`,
        [id, instance, state, PAYER.address, ASSET ?? '', fee, at, at],
      );
    }
  });
  after(() => database.close());

  it('has payments in flight elsewhere that do not wait for their funds', async () => {
    assert.ok(ASSET);
    const underWay = () => records.underWay(PAYER.address, ASSET, 'mine');
    assert.deepEqual(await underWay(), { count: 2, amount: 10n });
    await records.markWaiting('b', true);
    assert.deepEqual(await underWay(), { count: 1, amount: 5n });
    await records.markWaiting('b', false);
    assert.deepEqual(await underWay(), { count: 2, amount: 10n });
  });

  it('has the failures that the sponsor paid for, and their times', async () => {
    const { address: payer } = PAYER;
    assert.deepEqual(await records.failures(0), [{ payer, count: 2, lastAt: 300 }]);
    assert.deepEqual(await records.failures(250, payer), [{ payer, count: 1, lastAt: 300 }]);
    assert.deepEqual(await records.failures(300), []);
  });

  it('sums the fees of other instances and of earlier runs', async () => {
    assert.equal(await records.feesElsewhere('mine', 0), 210n);
    assert.equal(await records.feesElsewhere('mine', 250), 140n);
    assert.equal(await records.feesElsewhere('mine', 400), 0n);
  });
});
