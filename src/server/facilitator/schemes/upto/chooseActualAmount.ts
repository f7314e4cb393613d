import { type AtomicAmount, parseAtomicAmount } from '../../../../protocol/index.ts';
import type { PaymentRequirements } from '../../../../protocol/wire/index.ts';
import { accepted, type Checked, rejected } from '../../payment/index.ts';

/** The amount to settle, and whether the seller chose it. */
export interface ChosenAmount {
  readonly actual: AtomicAmount;
  readonly stated: boolean;
}

/**
 * Returns the amount that a seller asks to settle: `extra.actualAmount`, as in the specification, or a settle request's amount
 * below the ceiling, as in the canonical packages. Without either, it returns the ceiling (spec: Upto wire shape). `null` does
 * not count as absent: JSON encodes a seller's NaN as `null`.
 */
export function chooseActualAmount(
  { extra }: PaymentRequirements,
  required: AtomicAmount,
  ceiling: AtomicAmount,
): Checked<ChosenAmount> {
  const text = extra?.['actualAmount'];
  const lowered = required === ceiling ? undefined : required;
  if (text === undefined) {
    if (required > ceiling) return rejected('upto_actual_exceeds_ceiling', `${required}`);
    return accepted({ actual: lowered ?? ceiling, stated: lowered !== undefined });
  }
  const actual = typeof text === 'string' ? parseAtomicAmount(text) : undefined;
  if (actual === undefined) return rejected('upto_actual_amount_malformed');
  if (lowered !== undefined && lowered !== actual) {
    return rejected('upto_actual_amounts_differ', `${actual} and ${lowered}`);
  }
  if (actual > ceiling) return rejected('upto_actual_exceeds_ceiling', `${actual} > ${ceiling}`);
  return accepted({ actual, stated: true });
}
