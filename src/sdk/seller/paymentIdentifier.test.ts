import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../protocol/index.ts';
import { declarePaymentIdentifier, readPaymentIdentifier } from './paymentIdentifier.ts';

describe('A seller that accepts sale identifiers', () => {
  it('declares the extension, required or not', () => {
    assert.deepEqual(declarePaymentIdentifier()['payment-identifier'].info, { required: false });
    assert.deepEqual(declarePaymentIdentifier(true)['payment-identifier'].info, { required: true });
  });

  it('reads a payment’s identifier, and ignores invalid ones', () => {
    const header = (id: unknown) =>
      encodeHeaderMessage({ extensions: { 'payment-identifier': { info: { id } } } });
    assert.equal(readPaymentIdentifier(header('order-2026-000000017')), 'order-2026-000000017');
    for (const id of ['short', 5, null, 'no spaces, please!']) {
      assert.equal(readPaymentIdentifier(header(id)), undefined);
    }
    for (const none of [null, undefined, '', '%', encodeHeaderMessage({ extensions: 5 })]) {
      assert.equal(readPaymentIdentifier(none), undefined);
    }
  });
});
