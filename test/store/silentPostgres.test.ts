import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../src/server/index.ts';
import { joinInstances } from '../../src/server/settlement/index.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { type PrivatePostgres, postgresMissing, startPrivatePostgres } from './privatePostgres.ts';
import { startSwallower } from './swallower.ts';

/** Statements end after 2 to 16 seconds, and closing after 2; without limits nothing ever ends. */
const PATIENCE_SECONDS = 120;
const seconds = (since: number) => (performance.now() - since) / 1_000;

describe('A PostgreSQL that never answers', { skip: postgresMissing ?? false }, () => {
  let server: PrivatePostgres;
  let proxy: Awaited<ReturnType<typeof startSwallower>>;
  let database: Database;

  before(async () => {
    server = await startPrivatePostgres();
    proxy = await startSwallower(new URL(await server.createDatabase()));
    database = await openStore({ databaseUrl: proxy.url, dataFolder: null });
  });
  after(async () => {
    await database.close();
    proxy.close();
    await server.close();
  });

  it('does not block statements or leases for ever, and is used again when it answers', async () => {
    const membership = await joinInstances(database, systemClock, randomUUID, 5_000);
    assert.ok(membership.holdsLease);
    await Promise.all(Array.from({ length: 20 }, () => database.all('SELECT 1 AS one')));
    proxy.swallow(true);
    const begun = performance.now();
    const statement = assert.rejects(database.all('SELECT 2 AS two'), { code: 'unreachable' });
    const transaction = assert.rejects(
      database.transaction((within) => within.run('DELETE FROM rate_counts')),
      { code: 'unreachable' },
    );
    for (let sign = 0; sign < 3; sign += 1) {
      await assert.rejects(membership.beat(), { code: 'unreachable' });
    }
    await Promise.all([statement, transaction]);
    assert.ok(seconds(begun) < PATIENCE_SECONDS, `${seconds(begun)} s`);
    assert.equal(membership.holdsLease, false);
    assert.equal(database.frozen?.code, 'unreachable');

    proxy.swallow(false);
    await membership.beat();
    assert.ok(membership.holdsLease);
    assert.deepEqual(await database.all('SELECT 3 AS three'), [{ three: 3 }]);
    assert.equal(database.frozen, undefined);
  });

  it('does not keep the process from ending', async () => {
    await Promise.all(Array.from({ length: 5 }, () => database.all('SELECT 1 AS one')));
    proxy.swallow(true);
    const begun = performance.now();
    await database.close();
    assert.ok(seconds(begun) < PATIENCE_SECONDS, `${seconds(begun)} s`);
  });
});
