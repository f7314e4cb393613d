import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Readiness } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { MIGRATIONS } from '../../src/server/store/migrations/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';
import { type PrivatePostgres, postgresMissing, startPrivatePostgres } from './privatePostgres.ts';

/** What a later version would bring. */
const LATER = {
  name: '999-later',
  statements: () => ['CREATE TABLE later (id TEXT PRIMARY KEY)'],
};

describe('An instance that runs while a later version changes the schema', {
  skip: postgresMissing ?? false,
}, () => {
  let server: PrivatePostgres;
  let local: LocalNetwork;
  let payer: TestKey;
  let seller: TestKey;
  let older: RunningFacilitator;
  let newer: Database;

  before(async () => {
    server = await startPrivatePostgres();
    local = await startLocalNetwork();
    payer = await openPayer(local);
    seller = await openSeller(local);
    const databaseUrl = await server.createDatabase();
    const open = () => openStore({ databaseUrl, dataFolder: null });
    older = await startFacilitator({ ...facilitatorOptions(local), database: await open() });
    newer = await open();
  });
  after(async () => {
    await older.close();
    await newer.close();
    await local.close();
    await server.close();
  });

  const received = async () => (await balancesOf(local, seller.address)).usdc;
  const settle = async (): Promise<Posted> =>
    post(older.url, '/settle', await freshPayment(local, payer, seller));

  it('refuses work before the change is made, and moves no money that it does not report', async () => {
    const start = await received();
    const answers: Posted[] = [await settle()];
    assert.equal(answers[0]?.body.success, true);

    let changed = false;
    const change = migrate(newer, [...MIGRATIONS, LATER]).finally(() => {
      changed = true;
    });
    while (!changed) {
      answers.push(await settle());
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.deepEqual(await change, [LATER.name]);

    const late = await settle();
    assert.equal(late.status, 503);
    assert.equal(late.body.reason, 'store_unavailable', JSON.stringify(late.body));
    const ready = await fetch(`${older.url}/ready`);
    assert.equal(ready.status, 503);
    const { reasons } = (await ready.json()) as Readiness;
    assert.match(reasons[0]?.message ?? '', /^newer: a newer version .*999-later/);

    const moved = answers.filter(({ body }) => body.success === true).length;
    // Settlements in hand at that moment have a hash, and another instance reports their outcome.
    const open = answers.filter(({ body }) => body.errorReason === 'settlement_pending').length;
    const refused = answers.filter(({ body }) => body.reason === 'store_unavailable').length;
    assert.equal(moved + open + refused, answers.length);
    assert.ok(refused > 0, 'it refused while the change waited');
    const payments = ((await received()) - start) / 100_000n;
    assert.ok(payments >= moved && payments <= moved + open, `${payments}, ${moved}, ${open}`);
  });

  it('has let no other instance of its version start since', async () => {
    await assert.rejects(migrate(newer, MIGRATIONS), { code: 'newer' });
  });
});
