import {
  type AtomicAmount,
  type ContractAddress,
  isMuxedAddress,
  parseAtomicAmount,
  parseContractAddress,
  parseStellarAddress,
  type StellarAddress,
} from '../../../../protocol/index.ts';
import type { PaymentRequirements } from '../../../../protocol/wire/index.ts';
import { accepted, type Checked, rejected } from '../../payment/index.ts';

export interface Terms {
  readonly asset: ContractAddress;
  readonly payTo: StellarAddress;
  readonly amount: AtomicAmount;
}

/**
 * Reads amount, asset and recipient of the requirements. A non-integer amount is malformed
 * (spec: Amount rules); a muxed recipient has its own refusal.
 */
export function checkRequirements(requirements: PaymentRequirements): Checked<Terms> {
  const amount = parseAtomicAmount(requirements.amount);
  if (amount === undefined) return rejected('invalid_amount');
  const asset = parseContractAddress(requirements.asset);
  if (asset === undefined) return rejected('invalid_asset');
  const payTo = parseStellarAddress(requirements.payTo);
  if (payTo === undefined) {
    return rejected(
      'invalid_payto',
      isMuxedAddress(requirements.payTo) ? 'it is muxed' : undefined,
    );
  }
  return accepted({ asset, payTo, amount });
}
