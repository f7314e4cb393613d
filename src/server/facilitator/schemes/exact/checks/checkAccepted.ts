import type { PaymentRequirements } from '../../../../../protocol/wire/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';

const TERMS = ['scheme', 'network', 'asset', 'amount', 'payTo', 'maxTimeoutSeconds'] as const;

/**
 * Checks that the buyer accepted the seller's requirements (spec: POST /verify and POST /settle).
 * `extra` is not compared: a server may add keys to it after the buyer has read it.
 */
export function checkAccepted(
  acceptedTerms: PaymentRequirements,
  requirements: PaymentRequirements,
): Checked<undefined> {
  const different = TERMS.find((term) => acceptedTerms[term] !== requirements[term]);
  return different === undefined ? accepted(undefined) : rejected('accepted_mismatch', different);
}
