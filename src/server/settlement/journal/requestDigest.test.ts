import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { declared, forResource, withExtra } from '../../../../test/support/namedSale.ts';
import { paymentRequest } from '../../../../test/support/payment.ts';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { isSameOffer, isSameRequest, requestDigest } from './requestDigest.ts';

const REQUEST = forResource(paymentRequest(), 'https://seller.example/weather');
const recorded = (digest: string, request?: FacilitatorRequest) => ({ digest, request });

function withPayload(request: FacilitatorRequest, transaction: string): FacilitatorRequest {
  return { ...request, paymentPayload: { ...request.paymentPayload, payload: { transaction } } };
}

function forAmount(request: FacilitatorRequest, amount: string): FacilitatorRequest {
  return { ...request, paymentRequirements: { ...request.paymentRequirements, amount } };
}

function withInput(input: unknown): FacilitatorRequest {
  const extensions = { bazaar: { info: { input } } };
  return { ...REQUEST, paymentPayload: { ...REQUEST.paymentPayload, extensions } };
}

const OTHERS: readonly (readonly [string, FacilitatorRequest])[] = [
  ['another payload', withPayload(REQUEST, 'AAAA')],
  ['another URL', forResource(REQUEST, 'https://seller.example/gold')],
  ['another host', forResource(REQUEST, 'https://other.example/weather')],
  ['another query', forResource(REQUEST, 'https://seller.example/weather?day=2')],
  ['a method', forResource(REQUEST, 'https://seller.example/weather', { method: 'POST' })],
  ['the method of a declared input', withInput({ method: 'POST' })],
  ['the tool of a declared input', withInput({ toolName: 'gold' })],
  ['the seller’s declaration of the sale', declared(REQUEST)],
];

describe('The digest of a request', () => {
  it('is that of an identical request', () => {
    const again = JSON.parse(JSON.stringify(REQUEST)) as FacilitatorRequest;
    assert.equal(requestDigest(again), requestDigest(REQUEST));
    assert.ok(isSameRequest(recorded(requestDigest(REQUEST)), again));
    assert.ok(isSameOffer(recorded(requestDigest(REQUEST)), again));
  });

  it('ignores how the payload describes the resource', () => {
    const { url } = REQUEST.paymentPayload.resource as { url: string };
    const described = forResource(REQUEST, url, { description: 'Weather', tags: ['weather'] });
    assert.equal(requestDigest(described), requestDigest(REQUEST));
  });

  for (const [name, other] of OTHERS) {
    it(`is another one with ${name}`, () => {
      assert.equal(isSameRequest(recorded(requestDigest(REQUEST)), other), false);
      assert.equal(isSameOffer(recorded(requestDigest(REQUEST)), other), false);
      assert.equal(isSameRequest(recorded(requestDigest(other)), REQUEST), false);
    });
  }

  it('is another one under other terms, and the offer is the same', () => {
    for (const other of [forAmount(REQUEST, '1'), withExtra(REQUEST, { actualAmount: '1' })]) {
      assert.equal(isSameRequest(recorded(requestDigest(REQUEST)), other), false);
      assert.ok(isSameOffer(recorded(requestDigest(REQUEST)), other));
    }
  });

  it('reads hostile echoes without a failure', () => {
    for (const echo of [null, 5, 'x', [], { url: null }, { url: { toString: 1 } }]) {
      const paymentPayload = { ...REQUEST.paymentPayload, resource: echo };
      const request = { ...REQUEST, paymentPayload };
      assert.ok(isSameRequest(recorded(requestDigest(request)), request));
    }
    for (const input of [null, 5, [], 'GET']) {
      const request = withInput(input);
      assert.ok(isSameRequest(recorded(requestDigest(request)), request));
    }
  });
});

describe('A record of version 0.4.0', () => {
  /** As that version wrote it. */
  function first({ paymentPayload, paymentRequirements }: FacilitatorRequest): string {
    const identity = JSON.stringify([paymentPayload.payload, paymentRequirements]);
    return createHash('sha256').update(identity).digest('base64');
  }

  it('is found by the identical request, with and without its request', () => {
    assert.ok(isSameRequest(recorded(first(REQUEST), REQUEST), REQUEST));
    assert.ok(isSameRequest(recorded(first(REQUEST)), REQUEST));
    assert.ok(isSameOffer(recorded(first(REQUEST), REQUEST), forAmount(REQUEST, '1')));
  });

  it('is not that of another payload or other terms', () => {
    assert.equal(isSameRequest(recorded(first(REQUEST), REQUEST), forAmount(REQUEST, '1')), false);
    const other = withPayload(REQUEST, 'AAAA');
    assert.equal(isSameRequest(recorded(first(REQUEST), REQUEST), other), false);
    assert.equal(isSameOffer(recorded(first(REQUEST), REQUEST), other), false);
  });

  it('is not that of another resource, as long as it has the request', () => {
    const gold = forResource(REQUEST, 'https://seller.example/gold');
    assert.equal(isSameRequest(recorded(first(REQUEST), REQUEST), gold), false);
    assert.equal(isSameOffer(recorded(first(REQUEST), REQUEST), gold), false);
  });

  it('offers nothing that it no longer has', () => {
    assert.equal(isSameOffer(recorded(first(REQUEST)), REQUEST), false);
  });
});
