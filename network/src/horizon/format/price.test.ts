import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { priceText } from './price.ts';

describe('Prices are written with seven decimal places', () => {
  it('rounded to the nearest, halves up', () => {
    assert.equal(priceText(1, 3), '0.3333333');
    assert.equal(priceText(2, 3), '0.6666667');
    assert.equal(priceText(1n, 20_000_000n), '0.0000001');
    assert.equal(priceText(1n, 20_000_001n), '0.0000000');
    assert.equal(priceText(2_147_483_647, 1), '2147483647.0000000');
  });
});
