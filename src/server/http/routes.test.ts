import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routeOf } from './routes.ts';

describe('A request is counted', () => {
  it('under its route, with one each for policies and passkeys, and unknown paths under `other`', () => {
    const labels = [
      '/settle',
      '/ready',
      '/policies/wallets/CA',
      '/passkeys/x',
      '/policiesx',
      '/.env',
    ];
    assert.deepEqual(labels.map(routeOf), [
      '/settle',
      '/ready',
      '/policies',
      '/passkeys',
      'other',
      'other',
    ]);
  });
});
