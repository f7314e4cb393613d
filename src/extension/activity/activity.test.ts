import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_CONTRACT } from '../../protocol/index.ts';
import { createActivityLog } from './activityLog.ts';
import { type Activity, activityOf } from './activityOf.ts';
import { describeActivity, lastActivity } from './describeActivity.ts';
import { parseServiceLine } from './serviceLine.ts';

const URL = 'http://127.0.0.1:3000/weather';

function read(fields: object): Activity | undefined {
  const entry = parseServiceLine(JSON.stringify({ level: 30, time: 1_000, ...fields }));
  return entry && activityOf(entry);
}

function some(change: Partial<Activity> = {}): Activity {
  return {
    kind: 'settled',
    at: 1_000,
    url: URL,
    price: '0.01 USDC',
    payer: 'GA',
    hash: 'ab',
    reason: '',
    ...change,
  };
}

describe('the activity of an endpoint', () => {
  it('is read from the service’s log lines that name its URL', () => {
    const paid = { resource: URL, payer: 'GA', amount: '100000', asset: USDC_CONTRACT };
    assert.deepEqual(read({ msg: 'settled', hash: 'ab', ...paid }), some());
    assert.deepEqual(read({ msg: 'verified', ...paid }), some({ kind: 'verified', hash: '' }));
    const refused = read({
      msg: 'payment refused',
      resource: URL,
      code: 'expired',
      detail: 'late',
    });
    assert.equal(refused?.kind, 'refused');
    assert.equal(refused?.reason, 'expired: late');
    assert.equal(read({ msg: 'not settled', resource: URL, code: 'x' })?.kind, 'refused');
  });

  it('ignores lines about something else, without a URL, or that are not JSON', () => {
    assert.equal(read({ msg: 'answered', resource: URL }), undefined);
    assert.equal(read({ msg: 'settled' }), undefined);
    assert.equal(read({ msg: 'toString', resource: URL }), undefined);
    assert.equal(parseServiceLine('{"level":'), undefined);
    assert.equal(parseServiceLine('Error: no'), undefined);
  });

  it('is kept by URL, newest first, and a settlement counts once', () => {
    const noted: string[] = [];
    const log = createActivityLog((url) => noted.push(url));
    log.note(some({ kind: 'challenge', hash: '' }));
    log.note(some({ at: 3_000 }));
    log.note(some({ at: 4_000 }));
    log.note(some({ url: `${URL}/Lima`, at: 2_000, hash: 'cd' }));
    assert.deepEqual(
      log.of((url) => url.startsWith(URL)).map(({ at }) => at),
      [3_000, 2_000, 1_000],
    );
    assert.equal(log.of((url) => url === URL).length, 2);
    assert.deepEqual(log.urls, [`${URL}/Lima`, URL]);
    assert.equal(noted.length, 3);
  });

  it('is limited, however many URLs buyers name', () => {
    const log = createActivityLog(() => {});
    for (let at = 0; at < 10_000; at += 1) {
      log.note(some({ url: `${URL}/${at}`, at, hash: String(at) }));
      log.note(some({ at, hash: String(at) }));
    }
    assert.equal(log.urls.length, 50);
    assert.equal(log.of((url) => url === URL).length, 100);
  });

  it('is shown as lines with time, kind, price, payer, transaction and reason', () => {
    const text = describeActivity(URL, [
      some(),
      some({ kind: 'refused', price: '', payer: '', hash: '', reason: 'expired: late' }),
    ]);
    assert.match(text, /Settled: 0\.01 USDC, from GA, transaction ab\n/);
    assert.match(text, /Refused: expired: late\n/);
    assert.match(describeActivity(URL, []), /No activity since/);
    assert.match(lastActivity([some()]) ?? '', /Settled 0\.01 USDC$/);
    assert.equal(lastActivity([]), undefined);
  });
});
