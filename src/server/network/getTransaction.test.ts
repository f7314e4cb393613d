import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { readResult } from './getTransaction.ts';

/** The result of a fee bump around one successful contract invocation. */
function settled(feeCharged: bigint, inner: bigint, hash: Uint8Array): Buffer {
  const operation = xdr.OperationResult.opInner(
    xdr.OperationResultTr.invokeHostFunction(
      xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(hash),
    ),
  );
  const result = new xdr.InnerTransactionResult({
    feeCharged: inner,
    result: xdr.InnerTransactionResultResult.txSuccess([operation]),
    ext: xdr.InnerTransactionResultExt.v0(),
  });
  const pair = new xdr.InnerTransactionResultPair({ transactionHash: hash, result });
  return Buffer.from(
    new xdr.TransactionResult({
      feeCharged,
      result: xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair),
      ext: xdr.TransactionResultExt.v0(),
    }).toXdr(),
  );
}

describe('The result of a transaction', () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const fee = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

  it('that settled a payment is read without decoding, with the same result as the SDK', () => {
    fc.assert(
      fc.property(fee, fee, hash, (outer, inner, of) => {
        assert.deepEqual(readResult(settled(outer, inner, of)), {
          feeCharged: outer,
          resultCode: 'txSuccess',
        });
      }),
    );
  });

  it('is never read if the SDK reads something else, or nothing', () => {
    fc.assert(
      fc.property(fee, hash, fc.nat(111), fc.nat(255), (outer, of, at, value) => {
        const bytes = settled(outer, 1n, of);
        bytes[at] = value;
        let expected: object | undefined;
        try {
          const result = xdr.TransactionResult.fromXdr(bytes);
          const { result: of } = result;
          const isBump = of.type === 'txFeeBumpInnerSuccess' || of.type === 'txFeeBumpInnerFailed';
          const resultCode = isBump ? of.innerResultPair.result.result.type : of.type;
          expected = { feeCharged: result.feeCharged, resultCode };
        } catch {
          assert.throws(() => readResult(bytes));
          return;
        }
        assert.deepEqual(readResult(bytes), expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
