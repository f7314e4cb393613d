import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  atomicAmount,
  formatDecimalAmount,
  parseAtomicAmount,
  parseDecimalAmount,
} from './amount.ts';

const MAX_I128 = (1n << 127n) - 1n;

describe('Amounts are integer strings in atomic units', () => {
  it('[spec: Amount rules/Units] [spec: Limits/Decimals] 1000000 is 0.1 unit, 10000000 is 1.0', () => {
    assert.equal(formatDecimalAmount(1_000_000n), '0.1');
    assert.equal(formatDecimalAmount(10_000_000n), '1');
    assert.equal(parseDecimalAmount('0.1'), 1_000_000n);
    assert.equal(parseDecimalAmount('1.0'), 10_000_000n);
  });

  it('[spec: Amount rules/Non-integer] a non-integer amount is malformed', () => {
    const malformed = ['', ' ', '1.0', '-1', '+1', '1e3', '0x10', ' 5', '5 ', '1_000', 'NaN', '१'];
    for (const text of malformed) assert.equal(parseAtomicAmount(text), undefined, text);
  });

  it('has only one form: leading zeros are malformed', () => {
    for (const text of ['00', '01', '00100000']) assert.equal(parseAtomicAmount(text), undefined);
  });

  it('covers exactly the non-negative range of an i128', () => {
    assert.equal(parseAtomicAmount('0'), 0n);
    assert.equal(parseAtomicAmount(`${MAX_I128}`), MAX_I128);
    assert.equal(parseAtomicAmount(`${MAX_I128 + 1n}`), undefined);
    assert.equal(parseAtomicAmount('9'.repeat(1_000)), undefined);
    assert.equal(atomicAmount(-1n), undefined);
    assert.equal(atomicAmount(MAX_I128), MAX_I128);
  });

  it('[spec: Amount rules/Big integers] big integers, never floating point', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_I128), (amount) => {
        assert.equal(parseAtomicAmount(amount.toString()), amount);
        assert.equal(parseDecimalAmount(formatDecimalAmount(amount)), amount);
      }),
    );
  });
});

describe('Decimal amounts', () => {
  it('[spec: Limits/Decimals] up to 7 decimals, more are refused and not rounded', () => {
    assert.equal(parseDecimalAmount('0.0000001'), 1n);
    assert.equal(parseDecimalAmount('0.00000001'), undefined);
    assert.equal(parseDecimalAmount('1.00000000'), undefined);
  });

  it('refuses anything but a plain decimal', () => {
    for (const text of ['', '.', '.5', '1.', '-1', '1e-3', '0,5', '$1', '1.2.3']) {
      assert.equal(parseDecimalAmount(text), undefined, text);
    }
  });

  it('writes negative differences with their sign', () => {
    assert.equal(formatDecimalAmount(-12_345_678n), '-1.2345678');
  });
});
