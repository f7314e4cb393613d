import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encodeStrKey, parseAccountAddress } from '../../src/protocol/index.ts';
import type { GeneratedPolicy } from '../../src/protocol/policies/index.ts';
import { artifactsOf } from '../../src/server/policies/artifacts.ts';
import { readDefinition } from '../../src/server/policies/definition/readDefinition.ts';
import { PolicyError } from '../../src/server/policies/index.ts';
import { policyModules } from '../../src/server/policies/policyModules.ts';
import { PolicyRecords } from '../../src/server/policies/policyRecords.ts';
import type { Database } from '../../src/server/store/index.ts';
import { engines } from '../store/engines.ts';

const DAY = 86_400_000;
const NOW = 1_780_000_000_000;

/** The artifacts of a limit; each cap gives others. */
function policy(cap: number, wallet = 1): GeneratedPolicy {
  const read = readDefinition({
    version: '1',
    type: 'spending_limit',
    owners: [encodeStrKey('contract', new Uint8Array(32).fill(wallet))],
    spendingLimits: { dailyXlm: `${cap}` },
  });
  const deployer = parseAccountAddress(encodeStrKey('account', new Uint8Array(32)));
  assert.ok(read.ok && deployer !== undefined);
  return artifactsOf(read.definition, {
    modules: policyModules(),
    deployer,
    uptoContract: undefined,
  });
}

for (const engine of engines()) {
  describe(`Policies stored in ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let database: Database;
    let records: PolicyRecords;
    let reopen: () => Promise<Database>;

    before(async () => {
      await engine.begin();
      ({ database, reopen } = await engine.open());
      records = new PolicyRecords(database);
    });
    after(async () => {
      await database.close();
      await engine.end();
    });

    const limit = (now: number, inAll: number, client?: string) => ({
      ...{ ofWallet: 2, inAll, client, isShared: client !== undefined },
      ...{ since: now - DAY, now },
    });
    const begin = async (made: GeneratedPolicy, now: number, inAll = 100, client?: string) =>
      records.begin(await records.keep(made, true, now), limit(now, inAll, client));

    it('go from state to state, and an existing one is not generated again', async () => {
      const made = policy(1);
      assert.equal((await records.keep(made, true, NOW)).state, 'generated');
      assert.equal(await begin(made, NOW), 'begun');
      assert.deepEqual(
        (await records.interrupted()).map(({ id }) => id),
        [made.id],
      );
      await records.sending(made.id, 'aa', NOW);
      assert.equal((await records.keep(made, true, NOW)).state, 'deploying');
      await records.deployed(made.id, 'ab', NOW);
      assert.deepEqual(await records.interrupted(), []);
      await records.recorded(made.id, 'cd', NOW);
      // A late answer undoes nothing.
      await records.deployed(made.id, 'ef', NOW);
      const { state, deployTxHash, attachTxHash, artifacts } = await records.find(made.id);
      assert.deepEqual([state, deployTxHash, attachTxHash], ['recorded', 'ab', 'cd']);
      assert.deepEqual(artifacts, { ...made, state: 'recorded' });
    });

    it('are counted for each wallet and day', async () => {
      const later = NOW + 10 * DAY;
      assert.equal(await begin(policy(1, 2), later), 'begun');
      assert.equal(await begin(policy(2, 2), later), 'begun');
      assert.equal(await begin(policy(3, 2), later), 'wallet_limit');
      // One that was begun continues, another wallet is not held up, and the count starts again the next day.
      assert.equal(await begin(policy(2, 2), later), 'begun');
      assert.equal(await begin(policy(1, 3), later), 'begun');
      assert.equal(await begin(policy(3, 2), later + DAY + 1), 'begun');
    });

    it('are counted for all wallets together', async () => {
      const later = NOW + 20 * DAY;
      for (const wallet of [6, 7, 8, 9]) {
        assert.equal(await begin(policy(1, wallet), later, 4), 'begun');
      }
      assert.equal(await begin(policy(1, 10), later, 4), 'client_limit');
    });

    it('are shared by clients: one that uses throwaway wallets does not use up those of others', async () => {
      const later = NOW + 50 * DAY;
      let begun = 0;
      for (let wallet = 100; wallet < 200; wallet++) {
        const answer = await begin(policy(1, wallet), later, 200, 'stranger');
        if (answer === 'begun') begun += 1;
        else assert.equal(answer, 'client_limit');
      }
      // A sixth of them.
      assert.equal(begun, 33);
      assert.equal(await begin(policy(2, 20), later, 200, 'honest'), 'begun');
      assert.equal(await begin(policy(3, 20), later, 200, 'honest'), 'begun');
    });

    it('are kept alive a number of times for each wallet and day, from the same share', async () => {
      const later = NOW + 60 * DAY;
      const upkeep = async (made: GeneratedPolicy, at: number, inAll: number, client: string) =>
        records.beginUpkeep(await records.keep(made, true, at), limit(at, inAll, client));
      assert.equal(await begin(policy(1, 201), later, 30, 'one'), 'begun');
      assert.equal(await upkeep(policy(1, 201), later, 30, 'one'), 'begun');
      assert.equal(await upkeep(policy(1, 201), later, 30, 'one'), 'begun');
      assert.equal(await upkeep(policy(1, 201), later, 30, 'one'), 'wallet_limit');
      assert.equal(await upkeep(policy(1, 202), later, 30, 'one'), 'begun');
      // Four of fifteen for all; with a fifth it would have more than half of what is left.
      assert.equal(await upkeep(policy(1, 203), later, 30, 'one'), 'begun');
      assert.equal(await upkeep(policy(1, 204), later, 30, 'one'), 'client_limit');
      assert.equal(await begin(policy(1, 205), later, 30, 'one'), 'client_limit');
      assert.equal(await upkeep(policy(1, 206), later, 30, 'other'), 'begun');
      assert.equal(await upkeep(policy(1, 201), later + DAY, 30, 'one'), 'begun');
    });

    it('are deleted after a quarter of an hour if their wallet never requested them', async () => {
      const start = NOW + 30 * DAY;
      const [planted, asked] = [policy(1, 11), policy(2, 11)];
      await records.keep(planted, false, start);
      await records.keep(asked, false, start);
      await records.proved(asked.id);
      await records.keep(policy(3, 11), false, start + 16 * 60_000);
      await assert.rejects(records.find(planted.id), PolicyError);
      assert.equal((await records.find(asked.id)).state, 'generated');
      const { records: own, total } = await records.ofWallet(asked.wallet, {
        limit: 10,
        offset: 0,
      });
      assert.deepEqual([own.map(({ id }) => id), total], [[asked.id], 1]);
    });

    it('are deleted after a week if nobody deployed them', async () => {
      const [idle, begun] = [policy(8, 4), policy(9, 4)];
      await records.keep(idle, true, NOW);
      await begin(begun, NOW);
      await records.keep(policy(7, 4), true, NOW + 8 * DAY);
      await assert.rejects(records.find(idle.id), (error) => {
        assert.ok(error instanceof PolicyError);
        assert.equal(error.code, 'policy_not_found');
        return true;
      });
      assert.equal((await records.find(begun.id)).state, 'deploying');
    });

    it('survive a restart', {
      skip: engine.persistent ? false : 'nothing in memory does',
    }, async () => {
      const made = policy(5, 5);
      await begin(made, NOW);
      await database.close();
      database = await reopen();
      records = new PolicyRecords(database);
      assert.equal((await records.find(made.id)).state, 'deploying');
    });
  });
}
