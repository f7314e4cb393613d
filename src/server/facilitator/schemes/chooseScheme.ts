import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { PaymentScheme } from '../payment/index.ts';

/**
 * The scheme that judges a request. A request for a scheme that is not served goes to the first:
 * it refuses it, after what the canonical order checks before the scheme.
 */
export function chooseScheme(
  schemes: readonly PaymentScheme[],
  request: FacilitatorRequest,
): PaymentScheme {
  const [first] = schemes;
  if (first === undefined) throw new RangeError('a facilitator serves at least one scheme');
  return schemes.find(({ name }) => name === request.paymentRequirements.scheme) ?? first;
}
