import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { discoverable } from '../../../../test/support/discoverable.ts';
import { paymentRequest } from '../../../../test/support/payment.ts';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import { answerUndeclared, type Settlement, settledWithoutCatalog } from './outcomes.ts';

const notCataloged = (reason: string) => ({
  bazaar: { ...{ status: 'rejected', cataloged: false }, rejectedReason: reason, reason },
});
const answer = (request: FacilitatorRequest) =>
  settledWithoutCatalog({ request } as Partial<Settlement> as Settlement);

describe('A service without a catalog', () => {
  it('says of an undeclared payment that it declares nothing', async () => {
    const request = paymentRequest();
    const expected = notCataloged('no_discovery_extension');
    assert.deepEqual(await answer(request), expected);
    assert.deepEqual(answerUndeclared(request), expected);
    const extensions = { bazaar: null };
    const nothing = { ...request, paymentPayload: { ...request.paymentPayload, extensions } };
    assert.deepEqual(answerUndeclared(nothing), expected);
  });

  it('says of a declared one that it was not cataloged', async () => {
    const request = discoverable(paymentRequest(), 'https://seller.example/data');
    assert.deepEqual(await answer(request), notCataloged('cataloging_error'));
    assert.equal(answerUndeclared(request), undefined);
  });
});
