import { decodeHeaderMessage } from '../../protocol/index.ts';
import { isPaymentId, PAYMENT_IDENTIFIER } from '../exact/index.ts';

/** A route's declaration that it accepts payment identifiers. */
export interface PaymentIdentifierDeclaration {
  /** Whether buyers must send an identifier. */
  readonly info: { readonly required: boolean };
  /** JSON Schema of what buyers send. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/**
 * Declares the extension `payment-identifier` for a route's `extensions`:
 * `extensions: { ...declarePaymentIdentifier() }`.
 * @param required whether to refuse a payment without an identifier
 * @example
 * ```ts
 * import { declarePaymentIdentifier } from 'svc-x402-sdk';
 *
 * const route = {
 *   accepts: { scheme: 'exact', network: 'stellar:testnet', payTo: 'G…', price: '0.01 USDC' },
 *   extensions: { ...declarePaymentIdentifier() },
 * };
 * console.log(Object.keys(route.extensions)); // [ 'payment-identifier' ]
 * ```
 */
export function declarePaymentIdentifier(
  required = false,
): Readonly<Record<typeof PAYMENT_IDENTIFIER, PaymentIdentifierDeclaration>> {
  const id = { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' };
  return {
    [PAYMENT_IDENTIFIER]: {
      info: { required },
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { required: { type: 'boolean' }, id },
        required: ['required'],
      },
    },
  };
}

/**
 * Reads the buyer's payment identifier from the `PAYMENT-SIGNATURE` header, so that a seller recognizes
 * a retry of a request that it has already served. Trust it only after the facilitator has settled the payment.
 * @returns `undefined` without a header or a valid identifier
 * @example with a request that was paid
 * ```ts
 * import { readPaymentIdentifier } from 'svc-x402-sdk';
 *
 * const id = readPaymentIdentifier(request.headers.get('payment-signature'));
 * console.log(id); // order-2026-000000017
 * ```
 */
export function readPaymentIdentifier(header: string | null | undefined): string | undefined {
  if (header === null || header === undefined) return undefined;
  let id: unknown = decodeHeaderMessage(header);
  for (const name of ['extensions', PAYMENT_IDENTIFIER, 'info', 'id']) {
    if (typeof id !== 'object' || id === null) return undefined;
    id = (id as Record<string, unknown>)[name];
  }
  return typeof id === 'string' && isPaymentId(id) ? id : undefined;
}
