import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDecimalAmount } from '../../protocol/index.ts';
import { usdc } from './usdc.ts';

describe('An amount of USDC as people write it', () => {
  it('can have its code, and means the same with and without it', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), (units) => {
        const text = formatDecimalAmount(units);
        assert.equal(usdc(text), units);
        assert.equal(usdc(`${text} USDC`), units);
      }),
    );
  });

  it('is refused with another code, and if it is not an amount', () => {
    for (const text of [
      '1 XLM',
      '1 usdc',
      '1  USDC',
      '1 USDC USDC',
      ' USDC',
      'USDC',
      '0.00000001 USDC',
    ]) {
      assert.throws(() => usdc(text), RangeError, text);
    }
  });
});
