import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PAYER, SELLER } from '../../../../test/support/payment.ts';
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
      ['a', 'mine', 'submitting', 0, 100, 'a'],
      ['b', 'other', 'claimed', 0, 110, 'a'],
      ['c', 'other', 'submitting', 0, 120, 'a'],
      ['d', 'other', 'failed', 70, 200, 'a'],
      ['e', 'other', 'failed', 80, 300, 'b'],
      // Dropped, so the sponsor paid nothing for it.
      ['f', 'other', 'failed', 0, 310, 'b'],
      ['g', 'mine', 'settled', 90, 320, 'b'],
      ['h', 'earlier', 'settled', 60, 330, null],
    ] as const;
    for (const [id, instance, state, fee, at, client] of rows) {
      await database.run(
        `INSERT INTO settlements (id, digest, instance, state, answer, catalog, expiration_ledger,
           worst_fee, payer, pay_to, client, asset, amount, fee_charged, claimed_at, updated_at)
         VALUES (?, '', ?, ?, 'given', 'none', 1, 500, ?, ?, ?, ?, '5', ?, ?, ?)`,
        [id, instance, state, PAYER.address, SELLER.address, client, ASSET ?? '', fee, at, at],
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
    const payer = PAYER.address;
    const payTo = SELLER.address;
    assert.deepEqual(await records.failures(0), [{ payer, payTo, count: 2, lastAt: 300 }]);
    assert.deepEqual(await records.failures(250, payer), [{ payer, payTo, count: 1, lastAt: 300 }]);
    assert.deepEqual(await records.failures(300), []);
  });

  it('sums the fees of other instances and of earlier runs by client and recipient', async () => {
    const fees = async (since: number) =>
      (await records.feesElsewhere('mine', since))
        .map((one) => ({ ...one, client: one.client ?? 'none' }))
        .sort((a, b) => a.client.localeCompare(b.client));
    const payTo = SELLER.address;
    assert.deepEqual(await fees(0), [
      { client: 'a', payTo, fees: 70n },
      { client: 'b', payTo, fees: 80n },
      { client: 'none', payTo, fees: 60n },
    ]);
    assert.deepEqual(await fees(300), [{ client: 'none', payTo, fees: 60n }]);
    assert.deepEqual(await fees(400), []);
  });
});
