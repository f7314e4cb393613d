import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { settlementHash } from '../../src/protocol/index.ts';
import { authorizationKey } from '../../src/protocol/stellar/index.ts';
import { notCataloged } from '../../src/protocol/wire/index.ts';
import {
  deriveChannelSecrets,
  openJournal,
  type SettlementRecord,
} from '../../src/server/settlement/index.ts';
import { openSigner } from '../../src/server/settlement/signer.ts';
import type { Database } from '../../src/server/store/index.ts';
import { PAYER, paymentRequest } from '../support/payment.ts';
import { testClock } from '../support/testClock.ts';
import { engines } from './engines.ts';

const request = paymentRequest();
const [secret = ''] = deriveChannelSecrets('seed of the journal tests');
const signer = openSigner(secret);
assert.ok(signer);
const channel = { signer, sequence: 1n, asOfLedger: 0 };
const transaction = {
  hash: settlementHash(new Uint8Array(32).fill(7)),
  envelope: 'AAAA',
  channel: signer.address,
  sequence: 2n ** 53n + 5n,
  lastLedger: 1_050,
  sentAfter: 1_000,
};
const succeeded = { status: 'succeeded', ledger: 1_001, feeCharged: 50_200n } as const;

for (const engine of engines()) {
  describe(`The settlement journal on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    const clock = testClock(1_750_000_000_000);
    let database: Database;
    let reopen: () => Promise<Database>;
    let nonce = 0n;

    before(async () => {
      await engine.begin();
      ({ database, reopen } = await engine.open());
    });
    after(async () => {
      await database.close();
      await engine.end();
    });

    const journal = () => openJournal(database, clock);
    const presented = (key = authorizationKey(PAYER.address, ++nonce)) => ({
      id: randomUUID(),
      key,
      request,
      expirationLedger: 1_050,
      worstFee: 500_000n,
    });
    const claim = async (instance = 'a') => (await journal().claim(instance, presented())).record;
    const find = async ({ id }: { readonly id: string }) => {
      const record = await journal().find(id);
      assert.ok(record);
      return record;
    };

    it('[spec: Facilitator codes/authorization_replayed] gives an authorization to one of many callers', async () => {
      const one = presented();
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          journal().claim(`instance ${i}`, { ...one, id: randomUUID() }),
        ),
      );
      assert.equal(claims.filter(({ claimed }) => claimed).length, 1);
      assert.equal(new Set(claims.map(({ record }) => record.id)).size, 1);
      assert.equal((await journal().findByKey(one.key)) !== undefined, true);
      assert.equal((await journal().findByKey(presented().key)) !== undefined, false);
    });

    it('a claim returns the recorded settlement', async () => {
      const { claimed, record } = await journal().claim('a', presented());
      assert.equal(claimed, true);
      assert.deepEqual(await find(record), record);
    });

    it('an authorization is acceptable again if nothing was signed', async () => {
      const one = presented();
      const { record } = await journal().claim('a', one);
      await journal().release(record);
      assert.equal(await journal().find(record.id), undefined);
      assert.equal((await journal().claim('b', { ...one, id: randomUUID() })).claimed, true);
    });

    describe('its refusal is passed on to other instances, if there are any', () => {
      const shares = () => database.dialect === 'postgres';
      const told = JSON.stringify({ code: 'simulation_failed', payer: PAYER.address });
      const refusalOf = (record: SettlementRecord, ageMs = 0) =>
        journal().refusalOf(record, () => ageMs);
      const age = (milliseconds: number) =>
        database.run('UPDATE refusals SET first_at = first_at - ?, refused_at = refused_at - ?', [
          milliseconds,
          milliseconds,
        ]);

      async function claimedAfterRefusal() {
        const one = presented();
        const { record } = await journal().claim('a', one);
        assert.equal(await refusalOf(record), undefined);
        assert.equal(await journal().release(record, told), true);
        const again = async (instance: string) =>
          (await journal().claim(instance, { ...one, id: randomUUID() })).record;
        return again;
      }

      it('if they had the request before, or get it within a second', async () => {
        const again = await claimedAfterRefusal();
        const record = await again('b');
        assert.equal(await refusalOf(record), shares() ? told : undefined);
        await age(2_000);
        assert.equal(await refusalOf(record), undefined);
        assert.equal(await refusalOf(record, 5_000), shares() ? told : undefined);
      });

      it('but not to the one that refused, which already has it', async () => {
        const again = await claimedAfterRefusal();
        assert.equal(await refusalOf(await again('a')), undefined);
      });

      it('passing it on does not extend it', async () => {
        const again = await claimedAfterRefusal();
        await age(700);
        await journal().release(await again('b'), told);
        await age(700);
        assert.equal(await refusalOf(await again('c')), undefined);
      });

      it('also for signed transactions that were never accepted, and the last one counts', async () => {
        const again = await claimedAfterRefusal();
        const record = await again('b');
        await journal().submitting(record, transaction, channel);
        assert.equal(await journal().neverSent(record, 'ERROR', '"later"'), true);
        assert.equal(await refusalOf(await again('c')), shares() ? '"later"' : undefined);
      });

      it('not by an instance that has lost the claim', async () => {
        const { record } = await journal().claim('a', presented());
        await database.run("UPDATE settlements SET instance = 'b' WHERE id = ?", [record.id]);
        assert.equal(await journal().release(record, told), false);
        assert.equal(await journal().neverSent(record, 'ERROR', told), false);
        assert.equal(await refusalOf({ ...record, instance: 'c' }), undefined);
      });

      it('for two minutes', async () => {
        const again = await claimedAfterRefusal();
        await age(119_000);
        await journal().forgetOld(0);
        const record = await again('b');
        assert.equal(await refusalOf(record, 600_000), shares() ? told : undefined);
        await age(2_000);
        await journal().forgetOld(0);
        assert.equal(await refusalOf(record, 600_000), undefined);
      });
    });

    it('and if a signed transaction was certainly not accepted, which stays recorded', async () => {
      const one = presented();
      const { record } = await journal().claim('a', one);
      assert.equal(await journal().submitting(record, transaction, channel), true);
      assert.equal(await journal().neverSent(record, 'TRY_AGAIN_LATER'), true);
      const kept = await find(record);
      assert.deepEqual(
        [kept.state, kept.detail, kept.key],
        ['never_sent', 'TRY_AGAIN_LATER', undefined],
      );
      assert.equal((await journal().claim('b', { ...one, id: randomUUID() })).claimed, true);
    });

    it('an authorization that might have been sent is not released', async () => {
      const record = await claim();
      await journal().submitting(record, transaction, channel);
      await journal().release(record);
      assert.equal((await find(record)).state, 'submitting');
    });

    it('the transaction is recorded exactly, before it is sent', async () => {
      const record = await claim();
      await journal().submitting(record, transaction, channel);
      assert.deepEqual((await find(record)).transaction, transaction);
    });

    it('an instance that no longer owns a settlement must not submit it', async () => {
      const record = await claim('a');
      await database.run("UPDATE settlements SET instance = 'b' WHERE id = ?", [record.id]);
      assert.equal(await journal().submitting(record, transaction, channel), false);
      assert.equal((await find(record)).state, 'claimed');
    });

    it('nor one whose channel is lent to another', async () => {
      await database.run(
        `INSERT INTO channels (address, pool, holder, fence, as_of_ledger, freed_at)
         VALUES (?, 'p', 'a', 5, 0, 0)`,
        [signer.address],
      );
      const record = await claim('a');
      const lease = (fence: number) => ({ ...channel, lease: { holder: 'a', fence } });
      assert.equal(await journal().submitting(record, transaction, lease(4)), false);
      assert.equal(await journal().submitting(record, transaction, lease(5)), true);
      await database.run('DELETE FROM channels');
    });

    it('a decision is written once, and makes the catalog due', async () => {
      const record = await claim();
      await journal().submitting(record, transaction, channel);
      await journal().decided(record, succeeded, undefined);
      const failed = { ...succeeded, status: 'failed', resultCode: 'txFailed' } as const;
      await journal().decided(record, failed, 'txFailed');
      const settled = await find(record);
      assert.deepEqual(
        [settled.state, settled.ledger, settled.feeCharged, settled.catalog],
        ['settled', 1_001, 50_200n, 'due'],
      );
    });

    it('a decision with its answer leaves the catalog nothing to do', async () => {
      const answered = { bazaar: notCataloged('no_discovery_extension') };
      const [owed, given] = [await claim(), await claim()];
      const one = journal();
      for (const record of [owed, given]) await one.submitting(record, transaction, channel);
      assert.equal(await one.delivered(given.id), true);
      for (const record of [owed, given]) await one.decided(record, succeeded, undefined, answered);
      const { catalog, extensions, request: kept } = await find(owed);
      assert.deepEqual([catalog, extensions, kept], ['done', answered, request]);
      assert.equal((await find(given)).request, undefined);
    });

    it('one caller gets the answer, however many ask', async () => {
      const record = await claim();
      assert.equal(await journal().takeAnswer(record.id, 'b'), false);
      await journal().owe(record.id, record.instance);
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, i) => journal().takeAnswer(record.id, `i${i}`)),
      );
      assert.equal(taken.filter((one) => one).length, 1);
      const one = journal();
      assert.equal(await one.delivered(record.id), true);
      await one.owe(record.id, record.instance);
      assert.equal((await find(record)).answer, 'given');
    });

    it('an instance owes only what it holds itself', async () => {
      const record = await claim();
      const one = journal();
      await one.owe(record.id, record.instance);
      assert.equal(await one.takeAnswer(record.id, 'b'), true);
      // A write that arrives late.
      await one.owe(record.id, record.instance);
      assert.equal((await find(record)).heldBy, 'b');
    });

    it('keeps the request until the answer is delivered and the catalog knows', async () => {
      const record = await claim();
      await journal().submitting(record, transaction, channel);
      const one = journal();
      assert.equal(await one.delivered(record.id), true);
      assert.deepEqual((await find(record)).request, request);
      await one.decided(record, succeeded, undefined);
      assert.deepEqual((await find(record)).request, request);
      await one.cataloged(record, { bazaar: { status: 'success', cataloged: true } });
      const done = await find(record);
      assert.deepEqual([done.catalog, done.request], ['done', undefined]);
    });

    it('lists an instance’s unfinished settlements, in order of their start', async () => {
      const records = [];
      for (let i = 0; i < 3; i++) {
        clock.advance(10);
        records.push(await claim('busy'));
      }
      const [first, second, third] = records;
      assert.ok(first && second && third);
      await journal().submitting(second, transaction, channel);
      await journal().submitting(third, transaction, channel);
      await journal().decided(third, succeeded, undefined);
      const open = await journal().unfinished('busy');
      assert.deepEqual(
        open.map(({ id, state }) => [id, state]),
        [
          [first.id, 'claimed'],
          [second.id, 'submitting'],
          [third.id, 'settled'],
        ],
      );
    });

    it('returns other instances’ reservations', async () => {
      await database.run('DELETE FROM settlements');
      await claim('mine');
      await claim('other');
      await claim('other');
      assert.equal(await journal().reservedElsewhere('mine'), 1_000_000n);
    });

    it('deletes only finished, old and expired settlements', async () => {
      await database.run('DELETE FROM settlements');
      const open = await claim();
      const finished = await claim();
      await journal().submitting(finished, transaction, channel);
      await journal().decided(finished, succeeded, undefined);
      await journal().cataloged(finished, {});
      await journal().forgetOld(10_000);
      assert.ok(await journal().find(finished.id), 'it is not old');
      clock.advance(8 * 24 * 3_600_000);
      await journal().forgetOld(1_100);
      assert.ok(await journal().find(finished.id), 'its authorization has hardly expired');
      await journal().forgetOld(10_000);
      assert.equal(await journal().find(finished.id), undefined);
      assert.ok(await journal().find(open.id));
    });

    it('is there after a restart', { skip: !engine.persistent }, async () => {
      const record = await claim();
      await database.close();
      database = await reopen();
      assert.deepEqual((await find(record)).request, request);
    });
  });
}
