import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OTHER_ASSET, SELLER, USDC } from '../../../test/support/payment.ts';
import { encodeHeaderMessage } from '../../protocol/index.ts';
import { chargeRequest, encodeJson, writeChallenge } from '../../protocol/mpp/index.ts';
import { choosePaymentOption } from './choosePaymentOption.ts';
import { headerOf, type PaymentProtocol, readTerms, type TermsReader } from './paymentTerms.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const NETWORK = 'stellar:testnet';
const TERMS = { amount: 100_000n, asset: USDC, payTo: SELLER.address, network: NETWORK };

interface Change {
  readonly method?: string;
  readonly intent?: string;
  readonly request?: string;
  readonly expires?: string | undefined;
  readonly header?: string;
}

/** The value of `WWW-Authenticate` for a charge. */
const charge = (change: Change = {}): string =>
  writeChallenge({
    ...{ id: 'an id', realm: 'seller.example', method: 'stellar', intent: 'charge' },
    ...{ request: chargeRequest(TERMS), expires: '2026-11-27T12:01:00Z', ...change },
  });

const x402 = (change: object = {}): string =>
  encodeHeaderMessage({
    x402Version: 2,
    accepts: [
      {
        ...{ scheme: 'exact', network: NETWORK, asset: USDC, amount: '100000' },
        ...{ payTo: SELLER.address, maxTimeoutSeconds: 60, extra: { areFeesSponsored: true } },
        ...change,
      },
    ],
  });

function terms(
  headers: Readonly<Record<string, string>>,
  reader: Partial<TermsReader> = {},
): ReturnType<typeof readTerms> {
  const response = {
    status: 402,
    headers: new Headers(headers),
    text: async () => assert.fail('terms are in headers'),
  };
  return readTerms(response, {
    ...{ protocols: ['x402', 'mpp'], network: NETWORK, hasAuthorization: false, now: NOW },
    ...reader,
  });
}

/** Which protocol is chosen. */
function chosen(
  headers: Readonly<Record<string, string>>,
  reader: Partial<TermsReader> = {},
  limits: { readonly maxAmount?: bigint; readonly allowedAssets?: readonly string[] } = {},
): PaymentProtocol {
  const read = terms(headers, reader);
  const option = choosePaymentOption(read, { network: NETWORK, ...limits });
  return read.mpp.has(option.offered) ? 'mpp' : 'x402';
}

describe('Of the terms of both protocols, a buyer chooses', () => {
  const both = { 'payment-required': x402(), 'www-authenticate': charge() };

  it('x402, in the order of the default', () => assert.equal(chosen(both), 'x402'));
  it('the one that the caller prefers', () =>
    assert.equal(chosen(both, { protocols: ['mpp', 'x402'] }), 'mpp'));
  it('the one that is affordable', () => {
    const headers = { ...both, 'payment-required': x402({ amount: '200000' }) };
    assert.equal(chosen(headers, {}, { maxAmount: 100_000n }), 'mpp');
  });
  it('the one whose asset is allowed', () => {
    const headers = { ...both, 'payment-required': x402({ asset: OTHER_ASSET }) };
    assert.equal(chosen(headers, {}, { allowedAssets: [USDC] }), 'mpp');
  });
  it('the one on its network', () => {
    const headers = { ...both, 'payment-required': x402({ network: 'eip155:8453' }) };
    assert.equal(chosen(headers), 'mpp');
  });
  it('MPP, if there is nothing else, among challenges of other schemes and methods', () => {
    const tempo = charge({ method: 'tempo', request: encodeJson({ amount: '1' }) });
    const header = `Bearer realm="api", ${tempo}, ${charge()}, Negotiate abc==`;
    assert.equal(chosen({ 'www-authenticate': header }), 'mpp');
  });
  it('x402, if the request has an Authorization of its own', () =>
    assert.equal(chosen(both, { hasAuthorization: true, protocols: ['mpp', 'x402'] }), 'x402'));
  it('MPP in another header, if the seller names that one', () => {
    const header = charge({ header: 'Payment-Authorization' });
    const read = terms({ 'www-authenticate': header }, { hasAuthorization: true });
    const [challenge] = read.mpp.values();
    assert.ok(challenge);
    assert.equal(headerOf(challenge), 'payment-authorization');
  });
});

describe('A challenge of MPP becomes an option', () => {
  const optionFor = (change: Change) => {
    const [option] = terms({ 'www-authenticate': charge(change) }).options;
    assert.ok(option);
    return option;
  };

  it('with price, recipient and the seconds that are left', () => {
    assert.deepEqual(optionFor({}), {
      ...{ scheme: 'exact', network: NETWORK, asset: USDC, amount: '100000' },
      ...{ payTo: SELLER.address, maxTimeoutSeconds: 60, extra: { areFeesSponsored: true } },
    });
  });

  it('of two minutes without an expiry', () =>
    assert.equal(optionFor({ expires: undefined }).maxTimeoutSeconds, 120));

  for (const [name, change, code] of [
    ['it has expired', { expires: '2026-11-27T11:59:59Z' }, 'invalid_requirements'],
    ['its expiry is not a time', { expires: 'soon' }, 'invalid_requirements'],
    ['its request is not JSON', { request: 'AAAA' }, 'invalid_requirements'],
    [
      'its amount is negative',
      { request: chargeRequest({ ...TERMS, amount: -1n }) },
      'invalid_requirements',
    ],
    [
      'its amount is zero',
      { request: chargeRequest({ ...TERMS, amount: 0n }) },
      'invalid_requirements',
    ],
    [
      'its recipient is not an address',
      { request: chargeRequest({ ...TERMS, payTo: 'G' }) },
      'invalid_requirements',
    ],
    [
      'it is on another network',
      { request: chargeRequest({ ...TERMS, network: 'stellar:pubnet' }) },
      'no_usable_payment_option',
    ],
    ['it is of another method', { method: 'tempo' }, 'no_usable_payment_option'],
    ['it is a channel', { intent: 'channel' }, 'no_usable_payment_option'],
    ['it names a header of the request', { header: 'Cookie' }, 'invalid_requirements'],
    [
      'the buyer would pay the fee',
      {
        request: encodeJson({
          ...{ amount: '1', currency: USDC, recipient: SELLER.address },
          methodDetails: { network: NETWORK, feePayer: false },
        }),
      },
      'no_usable_payment_option',
    ],
    [
      'it takes hashes alone',
      {
        request: encodeJson({
          ...{ amount: '1', currency: USDC, recipient: SELLER.address },
          methodDetails: { network: NETWORK, feePayer: true, credentialTypes: ['hash'] },
        }),
      },
      'no_usable_payment_option',
    ],
  ] as const) {
    it(`that is not paid if ${name}`, () => {
      assert.throws(() => chosen({ 'www-authenticate': charge(change) }), {
        code,
        moneyMoved: 'no',
      });
    });
  }

  it('unless one of its members came twice, or its header is too long', () => {
    for (const header of [
      charge().replace('realm=', 'id="other", realm='),
      `${charge()}, Bearer realm="${'x'.repeat(70_000)}"`,
    ]) {
      assert.throws(() => terms({ 'www-authenticate': header }), { code: 'invalid_requirements' });
    }
  });

  it('unless the request needs its own Authorization', () => {
    const read = () => terms({ 'www-authenticate': charge() }, { hasAuthorization: true });
    assert.throws(read, { code: 'no_usable_payment_option', moneyMoved: 'no' });
  });

  it('unless the caller pays by x402 alone', () => {
    const read = () => terms({ 'www-authenticate': charge() }, { protocols: ['x402'] });
    assert.throws(read, { code: 'invalid_requirements' });
  });
});
