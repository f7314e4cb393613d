import type { AtomicAmount } from '../../../../../protocol/index.ts';
import { parseAtomicAmount } from '../../../../../protocol/index.ts';
import type { PaymentRequirements } from '../../../../../protocol/wire/index.ts';
import { accepted, type Checked, rejected } from '../../../payment/index.ts';

const TERMS = ['scheme', 'network', 'asset', 'payTo', 'maxTimeoutSeconds'] as const;

/**
 * Checks that the buyer accepted the seller's requirements, and that the accepted amount is the ceiling
 * that the payer signed. The requirements' amount is not compared: it may be lower when settling.
 */
export function checkCeiling(
  acceptedTerms: PaymentRequirements,
  requirements: PaymentRequirements,
  signed: bigint,
): Checked<AtomicAmount> {
  const different = TERMS.find((term) => acceptedTerms[term] !== requirements[term]);
  if (different !== undefined) return rejected('upto_accepted_mismatch', different);
  const ceiling = parseAtomicAmount(acceptedTerms.amount);
  if (ceiling === undefined || ceiling !== signed) {
    return rejected('upto_ceiling_mismatch', `${signed} signed, ${acceptedTerms.amount} accepted`);
  }
  return accepted(ceiling);
}
