import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earningsPage } from './earningsPage.ts';
import { openJournal } from './paymentJournal.ts';
import { summarise } from './summarise.ts';

const at = (iso: string, amount = 1n, from = 'GA', hash = iso) => ({
  id: iso,
  hash,
  at: new Date(iso),
  from,
  amount,
});
const none = () => undefined;

describe('[spec: Editor sidebar/Earnings Summary] the summary of earnings', () => {
  // Saturday in Los Angeles, Sunday already in Tokyo.
  const now = new Date('2026-11-21T18:00:00Z');

  it('today and this week follow the time zone', () => {
    const settlements = [at('2026-11-21T17:00:00Z', 1n), at('2026-11-21T05:00:00Z', 10n)];
    assert.equal(summarise(settlements, now, 'UTC', none).today, 11n);
    assert.equal(summarise(settlements, now, 'America/Los_Angeles', none).today, 1n);
    assert.equal(summarise(settlements, now, 'Asia/Tokyo', none).today, 1n);
  });

  it('a week begins on Monday', () => {
    const settlements = [
      at('2026-11-16T00:00:00Z', 1n),
      at('2026-11-15T23:59:59Z', 10n),
      at('2026-11-21T00:00:00Z', 100n),
    ];
    const { thisWeek, total } = summarise(settlements, now, 'UTC', none);
    assert.equal(thisWeek, 101n);
    assert.equal(total, 111n);
  });

  it('counts payers once, and says since when', () => {
    const settlements = [
      at('2026-11-20T00:00:00Z', 1n, 'GA'),
      at('2026-11-19T00:00:00Z', 1n, 'GA'),
    ];
    const { uniquePayers, since, count } = summarise(settlements, now, 'UTC', none);
    assert.equal(uniquePayers, 1);
    assert.equal(count, 2);
    assert.equal(since?.toISOString(), '2026-11-19T00:00:00.000Z');
  });

  it('days have no gaps, and at most fourteen are shown', () => {
    const few = summarise([at('2026-11-19T12:00:00Z', 5n)], now, 'UTC', none).byDay;
    assert.deepEqual(few, [
      { day: '2026-11-19', amount: 5n },
      { day: '2026-11-20', amount: 0n },
      { day: '2026-11-21', amount: 0n },
    ]);
    assert.equal(summarise([at('2026-01-01T00:00:00Z')], now, 'UTC', none).byDay.length, 14);
  });

  it('only payments in the journal are attributed to an endpoint', async () => {
    let kept: readonly (readonly [string, string])[] = [];
    const journal = openJournal(
      () => kept,
      async (pairs) => {
        kept = pairs;
      },
    );
    await journal.note('a', 'http://h/a');
    const settlements = [at('2026-11-21T00:00:00Z', 3n, 'GA', 'a'), at('2026-11-21T01:00:00Z', 4n)];
    const { byEndpoint, unattributed } = summarise(settlements, now, 'UTC', journal.urlOf);
    assert.deepEqual(byEndpoint, [{ url: 'http://h/a', amount: 3n, payments: 1 }]);
    assert.equal(unattributed, 4n);
    assert.equal(
      openJournal(
        () => kept,
        async () => {},
      ).urlOf('a'),
      'http://h/a',
    );
  });

  it('nothing earned, and an unknown time zone, are not errors', () => {
    const { total, byDay, since } = summarise([], now, 'Nowhere/Land', none);
    assert.equal(total, 0n);
    assert.deepEqual(byDay, []);
    assert.equal(since, undefined);
  });
});

describe('the page of the earnings', () => {
  it('runs only its own script, and loads nothing from elsewhere', () => {
    const page = earningsPage(
      { nonce: 'n0', source: 'https://editor', script: 's', style: 'c' },
      true,
    );
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'nonce-n0'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.doesNotMatch(page, /\son\w+=/);
  });
});
