import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';

/** The payment as a buyer sends it for a resource that its seller has declared. */
export function discoverable(request: FacilitatorRequest, url: string): FacilitatorRequest {
  const declaration = {
    info: { input: { type: 'http', method: 'GET', queryParams: {} } },
    schema: { type: 'object', properties: { input: { type: 'object' } }, required: ['input'] },
  };
  return {
    ...request,
    paymentPayload: {
      ...request.paymentPayload,
      resource: { url },
      extensions: { bazaar: declaration },
    },
  };
}
