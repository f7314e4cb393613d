import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encodeStrKey, parseAccountAddress } from '../../src/protocol/index.ts';
import type { GeneratedPolicy } from '../../src/protocol/policies/index.ts';
import { artifactsOf } from '../../src/server/policies/artifacts.ts';
import { readDefinition } from '../../src/server/policies/definition/readDefinition.ts';
import { PolicyError } from '../../src/server/policies/index.ts';
import { policyModules } from '../../src/server/policies/policyModules.ts';
import {
  createPolicyRecords,
  type PolicyRecords,
} from '../../src/server/policies/policyRecords.ts';
import type { Database } from '../../src/server/store/index.ts';
import { engines } from '../store/engines.ts';

const DAY = 86_400_000;
const NOW = 1_780_000_000_000;

/** The artifacts of a limit; the cap tells them apart. */
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
  describe(`Policies kept in ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let database: Database;
    let records: PolicyRecords;
    let reopen: () => Promise<Database>;

    before(async () => {
      await engine.begin();
      ({ database, reopen } = await engine.open());
      records = createPolicyRecords(database);
    });
    after(async () => {
      await database.close();
      await engine.end();
    });

    const begin = async (made: GeneratedPolicy, now: number) =>
      records.begin(await records.keep(made, now), { most: 2, since: now - DAY, now });

    it('go from state to state, and what is there is not generated anew', async () => {
      const made = policy(1);
      assert.equal((await records.keep(made, NOW)).state, 'generated');
      assert.equal(await begin(made, NOW), true);
      assert.deepEqual(
        (await records.interrupted()).map(({ id }) => id),
        [made.id],
      );
      await records.sending(made.id, 'aa', NOW);
      assert.equal((await records.keep(made, NOW)).state, 'deploying');
      await records.deployed(made.id, 'ab', NOW);
      assert.deepEqual(await records.interrupted(), []);
      await records.recorded(made.id, 'cd', NOW);
      // An answer that comes late takes nothing back.
      await records.deployed(made.id, 'ef', NOW);
      const { state, deployTxHash, attachTxHash, artifacts } = await records.find(made.id);
      assert.deepEqual([state, deployTxHash, attachTxHash], ['recorded', 'ab', 'cd']);
      assert.deepEqual(artifacts, { ...made, state: 'recorded' });
    });

    it('are counted for each wallet and day', async () => {
      const later = NOW + 10 * DAY;
      assert.equal(await begin(policy(1, 2), later), true);
      assert.equal(await begin(policy(2, 2), later), true);
      assert.equal(await begin(policy(3, 2), later), false);
      // One that was begun goes on; another wallet is not held up; the next day is another.
      assert.equal(await begin(policy(2, 2), later), true);
      assert.equal(await begin(policy(1, 3), later), true);
      assert.equal(await begin(policy(3, 2), later + DAY + 1), true);
    });

    it('are forgotten after a week when nobody deployed them', async () => {
      const [idle, begun] = [policy(8, 4), policy(9, 4)];
      await records.keep(idle, NOW);
      await begin(begun, NOW);
      await records.keep(policy(7, 4), NOW + 8 * DAY);
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
      records = createPolicyRecords(database);
      assert.equal((await records.find(made.id)).state, 'deploying');
    });
  });
}
