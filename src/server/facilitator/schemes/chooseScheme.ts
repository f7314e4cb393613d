import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { PaymentScheme } from '../payment/index.ts';

/**
 * Returns the scheme that verifies a request. A request for an unsupported scheme goes to the first scheme, which refuses it
 * after the checks that come before the scheme check in the canonical order.
 */
export function chooseScheme(
  schemes: readonly PaymentScheme[],
  request: FacilitatorRequest,
): PaymentScheme {
  const [first] = schemes;
  if (first === undefined) throw new RangeError('a facilitator serves at least one scheme');
  return schemes.find(({ name }) => name === request.paymentRequirements.scheme) ?? first;
}
