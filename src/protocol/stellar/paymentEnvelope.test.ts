import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { accountAddressOf } from '../../../common/scAddress.ts';
import { paymentEnvelope, STRANGER, USDC } from '../../../test/support/payment.ts';
import { decodePaymentEnvelope } from './paymentEnvelope.ts';
import { invokedContract } from './transferCall.ts';

const codeOf = (text: unknown) => {
  const decoded = decodePaymentEnvelope(text);
  return decoded.ok ? 'ok' : decoded.code;
};

describe('The payment envelope', () => {
  it('is decoded: source, operation, invocation, authorizations, fee', () => {
    const decoded = decodePaymentEnvelope(paymentEnvelope({ fee: 777 }));
    assert.ok(decoded.ok);
    const { envelope } = decoded;
    assert.equal(envelope.source, accountAddressOf(new Uint8Array(32)));
    assert.equal(envelope.operationSource, undefined);
    assert.equal(invokedContract(envelope.invocation), USDC);
    assert.equal(envelope.authorizations.length, 1);
    assert.equal(envelope.fee, 777n);
  });

  it("names the operation's source, and returns the operation without it", () => {
    const decoded = decodePaymentEnvelope(paymentEnvelope({ operationSource: STRANGER.publicKey }));
    assert.ok(decoded.ok);
    assert.equal(decoded.envelope.operationSource, STRANGER.address);
    assert.equal(decoded.envelope.operation.sourceAccount, null);
  });

  it('is malformed when it is not base64 of one transaction envelope', () => {
    const good = paymentEnvelope();
    for (const text of [undefined, 5, {}, '', 'AAAA', '!!!!', `${good}AAAA`, good.slice(0, -4)]) {
      assert.equal(codeOf(text), 'payload_malformed');
    }
  });

  it('is malformed when it is a fee bump', () => {
    const { v1 } = xdr.TransactionEnvelope.fromXdr(
      paymentEnvelope(),
      'base64',
    ) as xdr.TransactionEnvelopeTx;
    const bump = xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
      new xdr.FeeBumpTransactionEnvelope({
        tx: new xdr.FeeBumpTransaction({
          feeSource: xdr.MuxedAccount.keyTypeEd25519(STRANGER.publicKey),
          fee: 200n,
          innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(v1),
          ext: xdr.FeeBumpTransactionExt.v0(),
        }),
        signatures: [],
      }),
    );
    assert.equal(codeOf(bump.toXdr('base64')), 'payload_malformed');
  });

  it('has exactly one operation, an invocation of a contract', () => {
    assert.equal(codeOf(paymentEnvelope({ operations: () => [] })), 'wrong_operation');
    assert.equal(codeOf(paymentEnvelope({ operations: (one) => [one, one] })), 'wrong_operation');
    const bump = new xdr.Operation({
      sourceAccount: null,
      body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 1n })),
    });
    assert.equal(codeOf(paymentEnvelope({ operations: () => [bump] })), 'wrong_operation');
    const upload = new xdr.Operation({
      sourceAccount: null,
      body: xdr.OperationBody.invokeHostFunction(
        new xdr.InvokeHostFunctionOp({
          hostFunction: xdr.HostFunction.hostFunctionTypeUploadContractWasm(new Uint8Array(4)),
          auth: [],
        }),
      ),
    });
    assert.equal(codeOf(paymentEnvelope({ operations: () => [upload] })), 'wrong_operation');
  });

  it('never throws, whatever the bytes', () => {
    const good = Buffer.from(paymentEnvelope(), 'base64');
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(40), (at, value, cut) => {
        const bytes = Buffer.from(good.subarray(0, good.length - (cut > 20 ? cut : 0)));
        if (at < bytes.length) bytes[at] = value;
        assert.match(codeOf(bytes.toString('base64')), /^(ok|payload_malformed|wrong_operation)$/);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws on values nested as deep as a body allows', () => {
    const levels = 1_900;
    const frame = Buffer.alloc(12 * levels);
    for (let at = 0; at < levels; at++) {
      frame.writeUInt32BE(16, at * 12);
      frame.writeUInt32BE(1, at * 12 + 4);
      frame.writeUInt32BE(1, at * 12 + 8);
    }
    assert.equal(codeOf(frame.toString('base64')), 'payload_malformed');
  });
});
