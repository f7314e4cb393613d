import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { succeeded } from '../operations/index.ts';
import { zeroResult } from './transactionOutcome.ts';

const NUMBER_OF_TYPES = 27;

describe('The result of an operation that was never reached', () => {
  it('is the zero value of its type, which reads as a success, for every type there is', () => {
    for (let value = 0; value < NUMBER_OF_TYPES; value += 1) {
      const { name } = xdr.OperationType.fromValue(value);
      const result = zeroResult(name);
      assert.ok(result.type === 'opInner');
      assert.equal(result.tr.type, name);
      assert.equal(succeeded(result), true);
      const bytes = Buffer.from(result.toXdr());
      bytes.writeInt32BE(0, 4);
      assert.ok(
        bytes.every((byte) => byte === 0),
        name,
      );
    }
  });
});
