import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { openStore } from '../../src/server/store/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';
import { type Pooler, poolerMissing, startPooler } from './pooler.ts';
import { type PrivatePostgres, startPrivatePostgres } from './privatePostgres.ts';

const UNITS = [
  { unit: 'session', settings: ['pool_mode=session', 'default_pool_size=40'] },
  { unit: 'transaction', settings: ['pool_mode=transaction'] },
  {
    unit: 'transaction, startup parameters ignored',
    settings: ['pool_mode=transaction', 'ignore_startup_parameters=statement_timeout'],
  },
];

/** Whether an answer reports that the payment reached the seller. */
const paid = ({ body }: Posted) => body.success === true || body.extra?.moneyMoved === 'yes';

for (const { unit, settings } of UNITS) {
  describe(`Two instances on PostgreSQL through PgBouncer, by ${unit}`, {
    skip: poolerMissing ?? false,
  }, () => {
    let server: PrivatePostgres;
    let pooler: Pooler;
    let local: LocalNetwork;
    let payer: TestKey;
    let seller: TestKey;
    const running: RunningFacilitator[] = [];

    before(async () => {
      server = await startPrivatePostgres();
      pooler = await startPooler(new URL(await server.createDatabase()), settings);
      local = await startLocalNetwork();
      payer = await openPayer(local);
      seller = await openSeller(local);
    });
    after(async () => {
      for (const one of running) await one.close();
      await local.close();
      await pooler.close();
      await server.close();
    });

    const open = () => openStore({ databaseUrl: pooler.url, dataFolder: null });
    const received = async () => (await balancesOf(local, seller.address)).usdc;

    async function start(): Promise<RunningFacilitator> {
      const one = await startFacilitator({
        ...facilitatorOptions(local),
        database: await open(),
      });
      running.push(one);
      return one;
    }

    /** Pays new payments, each at the next instance. */
    async function payments(count: number): Promise<FacilitatorRequest[]> {
      const made: FacilitatorRequest[] = [];
      for (let n = 0; n < count; n++) made.push(await freshPayment(local, payer, seller));
      return made;
    }
    const at = (index: number): string => {
      const one = running[index % running.length];
      assert.ok(one);
      return one.url;
    };
    const settleAll = (requests: readonly FacilitatorRequest[]): Promise<Posted[]> =>
      Promise.all(requests.map((request, index) => post(at(index), '/settle', request)));

    it('settle each payment, before and after the pooler was killed', async () => {
      await start();
      await start();
      const before = await received();
      const first = await payments(10);
      for (const { body } of await settleAll(first)) {
        assert.equal(body.success, true, JSON.stringify(body));
      }
      const price = BigInt(first[0]?.paymentRequirements.amount ?? 0);
      assert.ok(price > 0n);
      assert.equal((await received()) - before, 10n * price);

      const second = await payments(4);
      const answers = settleAll(second);
      await pooler.kill();
      const told = await answers;
      await pooler.start();
      const deadline = Date.now() + 40_000;
      for (const [index, request] of second.entries()) {
        let answer = told[index];
        while (!answer || !paid(answer)) {
          assert.ok(Date.now() < deadline, JSON.stringify(answer?.body));
          await new Promise((resolve) => setTimeout(resolve, 200));
          answer = await post(at(index), '/settle', request);
        }
      }
      assert.equal((await received()) - before, 14n * price);
    });

    it('have a deadline in each transaction, and leave none behind in a session', async () => {
      const database = await open();
      const sql = "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'";
      const [within] = await database.transaction((transaction) => transaction.all(sql));
      assert.deepEqual(within, { setting: '15000' });
      for (const left of await Promise.all([1, 2, 3, 4, 5].map(() => database.all(sql)))) {
        assert.deepEqual(left, [{ setting: '0' }]);
      }
      await database.close();
    });
  });
}
