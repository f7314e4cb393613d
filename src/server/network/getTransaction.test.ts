import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { contractEvent, type EventParts } from '../../../test/support/events.ts';
import { OTHER_ASSET, PAYER, SELLER, STRANGER, USDC } from '../../../test/support/payment.ts';
import { arrivedIn, toI128 } from '../../protocol/stellar/index.ts';
import { readMovements, readResult } from './getTransaction.ts';

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

describe('The movements that a transaction shows', () => {
  const PAYMENT = { asset: USDC, payer: PAYER.address, payTo: SELLER.address };
  const symbol = (name: string) => xdr.ScVal.scvSymbol(name);
  const shown = (...events: readonly EventParts[]) =>
    readMovements([events.map((parts) => contractEvent(parts).event.toXdr('base64'))]);

  it('are unknown without events, and none without an event', () => {
    assert.equal(readMovements(undefined), undefined);
    assert.equal(readMovements(null), undefined);
    assert.deepEqual(readMovements([null]), []);
    assert.deepEqual(readMovements([[]]), []);
  });

  it('are those of the asset from the payer to the recipient', () => {
    const arrived = (...events: readonly EventParts[]) =>
      arrivedIn(shown(...events) ?? [], PAYMENT);
    assert.equal(arrived({}), 100_000n);
    assert.equal(arrived({ data: toI128(7n) }, { data: toI128(5n) }), 12n);
    assert.equal(arrived({ contract: OTHER_ASSET }), 0n);
    assert.equal(arrived({ contract: null }), 0n);
    assert.equal(arrived({ parties: [STRANGER.address, SELLER.address] }), 0n);
    assert.equal(arrived({ parties: [PAYER.address, STRANGER.address] }), 0n);
    assert.equal(arrived({ parties: [PAYER.address] }), 0n);
    assert.equal(arrived({ name: symbol('approve') }), 0n);
    assert.equal(arrived({ data: toI128(-5n) }, { data: toI128(5n) }), 5n);
    assert.equal(arrived({ data: xdr.ScVal.scvVoid() }), 0n);
    assert.equal(arrived({ type: xdr.ContractEventType.diagnostic }), 0n);
  });

  it('are read for a recipient with a memo, to the issuer, and from it (CAP-67)', () => {
    const arrived = (parts: EventParts) => arrivedIn(shown(parts) ?? [], PAYMENT);
    const entry = (name: string, val: xdr.ScVal) => new xdr.ScMapEntry({ key: symbol(name), val });
    const data = xdr.ScVal.scvMap([
      entry('amount', toI128(9n)),
      entry('to_muxed_id', xdr.ScVal.scvU64(4n)),
    ]);
    assert.equal(arrived({ data }), 9n);
    assert.equal(arrived({ name: symbol('burn'), parties: [PAYER.address] }), 100_000n);
    assert.equal(arrived({ name: symbol('burn'), parties: [STRANGER.address] }), 0n);
    assert.equal(arrived({ name: symbol('mint'), parties: [SELLER.address] }), 100_000n);
    assert.equal(
      arrived({ name: symbol('mint'), parties: [STRANGER.address, SELLER.address] }),
      100_000n,
    );
    assert.equal(arrived({ name: symbol('mint'), parties: [STRANGER.address] }), 0n);
  });

  it('are never guessed: malformed events are a bad answer', () => {
    assert.throws(() => readMovements([['AAAA']]));
  });
});
