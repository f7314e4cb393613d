import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';

/** The same request with the buyer's identifier of the sale (extension `payment-identifier`). */
export function identified(request: FacilitatorRequest, id: unknown): FacilitatorRequest {
  const extensions = {
    ...request.paymentPayload.extensions,
    'payment-identifier': { info: { required: false, id } },
  };
  return { ...request, paymentPayload: { ...request.paymentPayload, extensions } };
}

/** The same request with other `extra` terms, which the buyer accepted. */
export function withExtra(
  request: FacilitatorRequest,
  more: Readonly<Record<string, unknown>>,
): FacilitatorRequest {
  const paymentRequirements = {
    ...request.paymentRequirements,
    extra: { ...request.paymentRequirements.extra, ...more },
  };
  const paymentPayload = { ...request.paymentPayload, accepted: paymentRequirements };
  return { ...request, paymentPayload, paymentRequirements };
}

/** The same request from a seller whose terms declare that it recognizes sales of this method and resource. */
export function declared(
  request: FacilitatorRequest,
  method = 'GET',
  resource = 'https://seller.example/weather',
): FacilitatorRequest {
  return withExtra(request, { 'payment-identifier': { method, resource } });
}

/** The same request, whose payload echoes this resource. */
export function forResource(
  request: FacilitatorRequest,
  url: string,
  more: Readonly<Record<string, unknown>> = {},
): FacilitatorRequest {
  const paymentPayload = { ...request.paymentPayload, resource: { url, ...more } };
  return { ...request, paymentPayload };
}
