import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spokenLabel } from './spoken.ts';

describe('E10: a screen reader reads what a row shows', () => {
  it('label and description, never the tooltip alone', () => {
    assert.equal(
      spokenLabel({ label: 'GABC', description: 'Payment address' }),
      'GABC, Payment address',
    );
    assert.equal(spokenLabel({ label: 'XLM' }), 'XLM');
  });

  it('a spoken text replaces it only if it contains the label', () => {
    assert.equal(spokenLabel({ label: 'Loaded', spoken: 'Wallet: Loaded.' }), 'Wallet: Loaded.');
    assert.equal(
      spokenLabel({ label: '/weather', description: '0.01 USDC', spoken: 'Verified' }),
      '/weather, 0.01 USDC. Verified',
    );
  });
});
