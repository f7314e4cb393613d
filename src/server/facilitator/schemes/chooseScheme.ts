import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { PaymentScheme } from '../payment/index.ts';

/**
 * Returns the scheme that verifies a request. A request for a scheme that is not served goes to the
 * first one, which refuses it after the checks that precede the scheme's in the canonical order.
 */
export function chooseScheme(
  schemes: readonly PaymentScheme[],
  request: FacilitatorRequest,
): PaymentScheme {
  const [first] = schemes;
  if (first === undefined) throw new RangeError('a facilitator serves at least one scheme');
  return schemes.find(({ name }) => name === request.paymentRequirements.scheme) ?? first;
}
