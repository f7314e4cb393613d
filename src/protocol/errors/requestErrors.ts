import type { ErrorRow } from './errorRow.ts';

/** Failures of the request itself, before any payment is looked at. */
export const REQUEST_ERRORS = {
  invalid_request: {
    reason: 'invalid_request',
    specification: null,
    canonical: null,
    status: 400,
    moneyMoved: 'no',
    message:
      'The body is not a JSON object with x402Version, paymentPayload and paymentRequirements.',
    fix: 'Send the three members as the x402 v2 facilitator client does.',
  },
  invalid_payload: {
    reason: 'invalid_payload',
    specification: null,
    canonical: null,
    status: 400,
    moneyMoved: 'no',
    message: 'paymentPayload does not have the shape of an x402 v2 payment.',
    fix: 'Send x402Version, accepted and payload as the buyer signed them.',
  },
  invalid_payment_requirements: {
    reason: 'invalid_payment_requirements',
    specification: null,
    canonical: null,
    status: 400,
    moneyMoved: 'no',
    message: 'paymentRequirements does not have the shape of x402 v2 requirements.',
    fix: 'Send scheme, network, asset, amount, payTo and maxTimeoutSeconds; amount is an integer string.',
  },
  body_too_large: {
    reason: 'body_too_large',
    specification: null,
    canonical: null,
    status: 413,
    moneyMoved: 'no',
    message: 'The body is larger than 32 KiB.',
    fix: 'Send a smaller payment payload; extensions are the usual cause.',
  },
  not_found: {
    reason: 'not_found',
    specification: null,
    canonical: null,
    status: 404,
    moneyMoved: 'no',
    message: 'No such path.',
    fix: 'See GET /supported and the documentation for the paths that exist.',
  },
  method_not_allowed: {
    reason: 'method_not_allowed',
    specification: null,
    canonical: null,
    status: 405,
    moneyMoved: 'no',
    message: 'This path does not answer this method.',
    fix: 'Use one of the methods named in the Allow header.',
  },
  internal_error: {
    reason: 'internal_error',
    specification: null,
    canonical: null,
    status: 500,
    moneyMoved: 'no',
    message: 'The service failed in a way it does not know.',
    fix: 'Try again; the log of the service has the cause.',
  },
} as const satisfies Record<string, ErrorRow>;
