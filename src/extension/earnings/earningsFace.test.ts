import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Settlement } from '../chain/index.ts';
import { earningsFace } from './earningsFace.ts';
import { settledIn } from './summarise.ts';

const now = new Date('2026-11-25T02:30:00Z');
const at = (time: string, amount: bigint, hash: string, from = 'GA'): Settlement => ({
  id: hash,
  hash,
  at: new Date(time),
  from,
  amount,
});
const settlements = [
  at('2026-11-25T01:00:00Z', 30_000n, 'a'),
  at('2026-11-24T23:00:00Z', 10_000n, 'b', 'GB'),
  at('2026-11-20T12:00:00Z', 50_000n, 'c'),
  at('2026-10-01T12:00:00Z', 70_000n, 'd'),
];
const routeOf = (hash: string) => (hash === 'a' || hash === 'b' ? 'http://h/weather' : undefined);
const face = (period: Parameters<typeof earningsFace>[1], complete = true) =>
  earningsFace({ settlements, complete, routeOf }, period, now, 'UTC');

describe('The earnings of a period', () => {
  it('are those of today, of this week since Monday, of 30 days, or all', () => {
    const hashes = (period: Parameters<typeof settledIn>[0], zone = 'UTC') =>
      settledIn(period, settlements, now, zone).map(({ hash }) => hash);
    assert.deepEqual(hashes('today'), ['a']);
    assert.deepEqual(hashes('today', 'America/Lima'), ['a', 'b']);
    assert.deepEqual(hashes('week'), ['a', 'b']);
    assert.deepEqual(hashes('month'), ['a', 'b', 'c']);
    assert.deepEqual(hashes('all'), ['a', 'b', 'c', 'd']);
    assert.deepEqual(hashes('today', 'Nowhere/Land'), ['a']);
  });

  it('are exact, by route with the number of payments, and the rest is named', () => {
    const { total, today, thisWeek, uniquePayers, routes } = face('month');
    assert.deepEqual(
      { total, today, thisWeek, uniquePayers },
      { total: '0.009 USDC', today: '0.003 USDC', thisWeek: '0.004 USDC', uniquePayers: '2' },
    );
    assert.deepEqual(routes, [
      {
        name: 'http://h/weather',
        amount: '0.004 USDC',
        spoken: 'http://h/weather, 2 payments: 0.004 USDC',
        share: 0.8,
      },
      {
        name: 'not known here',
        amount: '0.005 USDC',
        spoken: 'not known here: 0.005 USDC',
        share: 1,
      },
    ]);
  });

  it('say whether they cover the complete period', () => {
    assert.match(face('all').note, /^4 settlements, since /);
    assert.match(face('all', false).note, /^The latest 4 settlements, since /);
    assert.match(face('month', false).note, /^3 settlements, since /);
    assert.match(face('today').note, /^1 settlement, since /);
    const none = earningsFace({ settlements: [], complete: true, routeOf }, 'all', now, 'UTC');
    assert.equal(none.note, 'No settlements in this period.');
    assert.equal(none.total, '0 USDC');
    assert.deepEqual(none.routes, []);
  });
});
