import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { testKey } from '../../../../../test/support/payer.ts';
import {
  OTHER_ASSET,
  PAYER,
  type PaymentParts,
  paymentRequest,
  SELLER,
  STRANGER,
  USDC,
} from '../../../../../test/support/payment.ts';
import type { ErrorCode } from '../../../../protocol/index.ts';
import {
  authorizationKey,
  decodePaymentEnvelope,
  toI128,
  toScAddress,
} from '../../../../protocol/stellar/index.ts';
import { prepareExact } from './exactScheme.ts';

const CHANNEL = testKey('a channel');
const OWN = new Set([CHANNEL.address]);

function verdict(parts: PaymentParts): ErrorCode | 'ok' {
  const prepared = prepareExact(paymentRequest(parts), OWN);
  return prepared.ok ? 'ok' : prepared.rejection.code;
}

const muxedSeller = xdr.ScAddress.scAddressTypeMuxedAccount(
  new xdr.MuxedEd25519Account({ id: 1n, ed25519: SELLER.publicKey }),
);
const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';

describe('A payment of scheme exact', () => {
  it('is read once, typed, with the authorization that identifies it', () => {
    const request = paymentRequest({ entries: [{ nonce: 77n, expirationLedger: 1_234 }] });
    const prepared = prepareExact(request, OWN);
    assert.ok(prepared.ok);
    const { payer, payTo, asset, amount, authorization, envelope } = prepared.value;
    assert.deepEqual(
      { payer, payTo, asset, amount },
      { payer: PAYER.address, payTo: SELLER.address, asset: USDC, amount: 100_000n },
    );
    const { judgeSignature, ...identity } = authorization ?? assert.fail();
    assert.equal(judgeSignature(), 'valid');
    assert.deepEqual(identity, {
      key: authorizationKey(PAYER.address, 77n),
      nonce: 77n,
      expirationLedger: 1_234,
    });
    const decoded = decodePaymentEnvelope(envelope);
    assert.ok(decoded.ok);
    const own = decodePaymentEnvelope(request.paymentPayload.payload.transaction);
    assert.ok(own.ok);
    assert.deepEqual(decoded.envelope.operationBytes, own.envelope.operationBytes);
  });

  it('is identified by the authorization of its payer, no matter who else signed', () => {
    const entries = [{ by: STRANGER.address, signer: STRANGER, nonce: 1n }, { nonce: 77n }];
    const prepared = prepareExact(paymentRequest({ entries }), OWN);
    assert.ok(prepared.ok);
    assert.equal(prepared.value.authorization?.key, authorizationKey(PAYER.address, 77n));
  });

  it('without an authorization is still read: verification reports the fault', () => {
    for (const entries of [[], [{ kind: 'sourceAccount' as const }]]) {
      const prepared = prepareExact(paymentRequest({ entries }), OWN);
      assert.ok(prepared.ok);
      assert.equal(prepared.value.authorization, undefined);
    }
  });

  it('[spec: POST /verify and POST /settle/Simulation source] accepts the canonical client’s null account as source, and any other', () => {
    assert.equal(verdict({ source: new Uint8Array(32) }), 'ok');
    assert.equal(verdict({ source: STRANGER.publicKey }), 'ok');
  });

  it('accepts contract payers and contract recipients', () => {
    const contract = { from: OTHER_ASSET, entries: [{ by: OTHER_ASSET }] };
    assert.equal(verdict(contract), 'ok');
    const requirements = { payTo: OTHER_ASSET };
    assert.equal(verdict({ to: toScAddress(OTHER_ASSET), requirements }), 'ok');
  });
});

describe('Each failure of the form has its own code', () => {
  const cases: [string, ErrorCode, PaymentParts][] = [
    [
      '[spec: paymentPayload/x402Version] another protocol version',
      'invalid_x402_version',
      { x402Version: 1 },
    ],
    ['another scheme required', 'unsupported_scheme', { requirements: { scheme: 'upto' } }],
    ['another scheme accepted', 'unsupported_scheme', { accepted: { scheme: 'upto' } }],
    ['another network accepted', 'network_mismatch', { accepted: { network: 'stellar:pubnet' } }],
    [
      '[spec: Versioning/Network] any network but stellar:testnet',
      'invalid_network',
      { requirements: { network: 'stellar:pubnet' } },
    ],
    ['no operation', 'wrong_operation', { operations: () => [] }],
    ['two operations', 'wrong_operation', { operations: (one) => [one, one] }],
    ['a source of ours', 'unsafe_source', { source: CHANNEL.publicKey }],
    ['an operation source of ours', 'unsafe_source', { operationSource: CHANNEL.publicKey }],
    [
      '[spec: Amount rules/Non-integer] a non-integer amount required',
      'invalid_amount',
      { requirements: { amount: '0.1' } },
    ],
    [
      'an asset that is not a contract',
      'invalid_asset',
      { requirements: { asset: SELLER.address } },
    ],
    ['a recipient that is not an address', 'invalid_payto', { requirements: { payTo: 'GABC' } }],
    ['a muxed recipient', 'invalid_payto', { requirements: { payTo: MUXED } }],
    ['another asset', 'wrong_asset', { asset: OTHER_ASSET }],
    ['another function', 'wrong_function', { functionName: 'burn' }],
    ['missing arguments', 'wrong_function', { args: [] }],
    ['a payer of ours', 'facilitator_is_payer', { from: CHANNEL.address }],
    ['another recipient', 'wrong_recipient', { to: toScAddress(STRANGER.address) }],
    ['a muxed recipient in the call', 'wrong_recipient', { to: muxedSeller }],
    ['less than the amount', 'wrong_amount', { amount: 99_999n }],
    ['more than the amount', 'wrong_amount', { amount: 100_001n }],
    [
      'a recipient of ours',
      'facilitator_is_recipient',
      { to: toScAddress(CHANNEL.address), requirements: { payTo: CHANNEL.address } },
    ],
    [
      '[spec: paymentPayload/accepted] another amount accepted than required',
      'accepted_mismatch',
      { accepted: { amount: '1' } },
    ],
    ['another timeout accepted', 'accepted_mismatch', { accepted: { maxTimeoutSeconds: 1 } }],
  ];
  for (const [what, code, parts] of cases) {
    it(`${what}: ${code}`, () => assert.equal(verdict(parts), code));
  }

  it('[spec: paymentPayload/payload.transaction] missing or not XDR: payload_malformed', () => {
    for (const payload of [{}, { transaction: 5 }, { transaction: 'AAAA' }]) {
      const request = paymentRequest();
      const paymentPayload = { ...request.paymentPayload, payload };
      const prepared = prepareExact({ ...request, paymentPayload }, OWN);
      assert.equal(!prepared.ok && prepared.rejection.code, 'payload_malformed');
    }
  });

  it('version and scheme are checked in every place', () => {
    const request = paymentRequest();
    const judged = (changed: object) => {
      const prepared = prepareExact({ ...request, ...changed }, OWN);
      return prepared.ok ? 'ok' : prepared.rejection.code;
    };
    const { paymentPayload, paymentRequirements } = request;
    assert.equal(judged({ x402Version: undefined }), 'ok');
    assert.equal(judged({ x402Version: 1 }), 'invalid_x402_version');
    assert.equal(
      judged({ paymentPayload: { ...paymentPayload, x402Version: 1 } }),
      'invalid_x402_version',
    );
    assert.equal(
      judged({ paymentRequirements: { ...paymentRequirements, scheme: 'upto' } }),
      'unsupported_scheme',
    );
  });

  it('names the muxed recipient in the detail', () => {
    const prepared = prepareExact(paymentRequest({ requirements: { payTo: MUXED } }), OWN);
    assert.match((!prepared.ok && prepared.rejection.detail) || '', /muxed/);
  });

  it('the first broken rule decides, in the canonical order', () => {
    const everything: PaymentParts = {
      source: CHANNEL.publicKey,
      asset: OTHER_ASSET,
      functionName: 'burn',
      args: [xdr.ScVal.scvVoid(), xdr.ScVal.scvVoid(), toI128(1n)],
      accepted: { amount: '1' },
    };
    assert.equal(verdict(everything), 'unsafe_source');
    assert.equal(verdict({ ...everything, source: STRANGER.publicKey }), 'wrong_asset');
  });
});
