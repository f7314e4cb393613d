import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amountText, parseAmount } from './amount.ts';

describe('Amounts are written with seven decimal places', () => {
  it('whatever their size and sign', () => {
    assert.equal(amountText(0n), '0.0000000');
    assert.equal(amountText(1n), '0.0000001');
    assert.equal(amountText(-10_000_001n), '-1.0000001');
    assert.equal(amountText(2n ** 63n - 1n), '922337203685.4775807');
  });

  it('and read back unchanged', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
    fc.assert(fc.property(int64, (stroops) => parseAmount(amountText(stroops)) === stroops));
  });

  it('but not if they are not amounts, too precise or too large', () => {
    assert.equal(parseAmount('5'), 50_000_000n);
    for (const text of ['', 'x', '1.', '.5', '1.12345678', '1e3', '922337203685.4775808']) {
      assert.equal(parseAmount(text), undefined, text);
    }
  });
});
