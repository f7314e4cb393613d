import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earningsCsv } from './earningsCsv.ts';
import { routeOf } from './routeOf.ts';
import { summarise } from './summarise.ts';

const CITY = 'http://h/weather/:city';
const at = (hash: string, amount: bigint) => ({
  id: hash,
  hash,
  at: new Date('2026-11-21T10:00:00Z'),
  from: 'GA',
  amount,
});

describe('E12: earnings are counted by route', () => {
  it('whatever its parameters’ values, and without the query', () => {
    assert.equal(routeOf('http://h/weather/Lima?units=c', [CITY]), CITY);
    assert.equal(
      routeOf('http://h/weather/Lima', [CITY, 'http://h/weather/Lima']),
      'http://h/weather/Lima',
    );
    assert.equal(routeOf(CITY, [CITY]), CITY);
    for (const other of ['http://h/weather', 'http://h/weather/', 'http://g/weather/Lima']) {
      assert.equal(routeOf(other, [CITY]), other);
    }
    assert.equal(routeOf('http://h/a?b=1#c', []), 'http://h/a');
  });

  it('in one line, however many cities were requested', () => {
    const urls = new Map([
      ['a', 'http://h/weather/Lima'],
      ['b', 'http://h/weather/Quito'],
    ]);
    const { byEndpoint } = summarise(
      [at('a', 1n), at('b', 2n)],
      new Date('2026-11-21T18:00:00Z'),
      'UTC',
      (hash) => {
        const url = urls.get(hash);
        return url && routeOf(url, [CITY]);
      },
    );
    assert.deepEqual(byEndpoint, [{ url: CITY, amount: 3n, payments: 2 }]);
  });
});

describe('Earnings as CSV', () => {
  it('have a header, exact amounts, and no name for an unknown route', () => {
    const csv = earningsCsv([at('a', 100_001n), at('b', 1n)], (hash) =>
      hash === 'a' ? CITY : undefined,
    );
    assert.deepEqual(csv.split('\r\n'), [
      'time,amount,asset,route,payer,transaction',
      `2026-11-21T10:00:00.000Z,0.0100001,USDC,${CITY},GA,a`,
      '2026-11-21T10:00:00.000Z,0.0000001,USDC,,GA,b',
      '',
    ]);
  });

  it('quote characters that would end a cell, and run nothing in a spreadsheet', () => {
    const route = (text: string) => earningsCsv([at('a', 1n)], () => text).split('\r\n')[1] ?? '';
    assert.match(route('http://h/a,"b"'), /,"http:\/\/h\/a,""b""",GA,/);
    assert.match(route('=HYPERLINK(1)'), /,'=HYPERLINK\(1\),/);
  });
});
