import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeHeaderMessage, PAYMENT_RESPONSE_HEADER } from '../../protocol/index.ts';
import type { HttpResponse } from './httpTransport.ts';
import { readSettlement } from './readSettlement.ts';

/** A response with this header, if any. */
function response(header: string | undefined): HttpResponse {
  const headers = new Headers(header === undefined ? {} : { [PAYMENT_RESPONSE_HEADER]: header });
  return { status: 200, headers, text: async () => '' } as Partial<HttpResponse> as HttpResponse;
}

describe('The settlement that a seller passes on', () => {
  const settled = { success: true, transaction: 'ab', network: 'stellar:testnet', payer: null };

  it('is read from its header', () => {
    assert.deepEqual(readSettlement(response(encodeHeaderMessage(settled))), settled);
  });

  it('is missing without the header, or if it cannot be read', () => {
    for (const header of [undefined, '', 'not base64!', encodeHeaderMessage({ success: 'yes' })]) {
      assert.equal(readSettlement(response(header)), undefined);
    }
  });
});
