import type { AttackTable } from '../attack.ts';
import { VICTIM_URL } from '../victim.ts';
import type { World } from '../world.ts';

const URL = 'https://api.squatter.dev/damaged';
const WHERE = "WHERE key LIKE '%squatter.dev/damaged%'";

/** What a page of the catalog answers, and what `/health` says of its rows. */
async function looked(world: World): Promise<string> {
  const paths = [
    '/discovery/resources?limit=100',
    '/discovery/search?query=quote',
    '/discovery/feed.json',
    '/discovery/facets',
    '/.well-known/x402',
  ];
  for (const path of paths) {
    const { status } = await world.service({ path, headers: world.newClient() });
    if (status !== 200) return `${status} of ${path}`;
  }
  const { text } = await world.service({
    path: '/discovery/resources?limit=100',
    headers: world.newClient(),
  });
  const health = await world.service({ path: '/health' });
  const listed = text.includes(VICTIM_URL) ? 'the others are listed' : 'the others are missing';
  return `${listed}, the row is ${health.text.includes('squatter.dev') ? '' : 'not '}named`;
}

function damaged(name: string, sql: string): AttackTable<World>['attacks'][number] {
  return {
    name,
    refused: 'the others are listed, the row is named',
    changes: ['catalog', 'settlements', 'ledger', 'sponsor'],
    async run(world) {
      const { stranger, database } = world;
      const request = { url: URL, resource: { description: 'Damaged later' } };
      const listed = await world.pay(stranger, stranger, request);
      if (listed !== 'cataloged') return `not listed: ${listed}`;
      await world.settled();
      const [row] = await database.all<{ document: string; settled_at: number }>(
        `SELECT document, settled_at FROM catalog_entries ${WHERE}`,
      );
      if (row === undefined) return 'no row to damage';
      await database.run(`UPDATE catalog_entries SET ${sql} ${WHERE}`);
      try {
        return await looked(world);
      } finally {
        await database.run(`UPDATE catalog_entries SET document = ?, settled_at = ? ${WHERE}`, [
          row.document,
          row.settled_at,
        ]);
      }
    },
  };
}

/** Rows that a stranger's listing left damaged, in whatever way. The rest is served. */
export const DAMAGED_ROWS: AttackTable<World> = {
  kind: 'damaged rows',
  attacks: [
    damaged('a listing whose row is not JSON', "document = '{'"),
    damaged('a listing whose row lacks its members', "document = '{}'"),
    damaged('a listing of a time that no calendar has', 'settled_at = 9000000000000000'),
  ],
};
