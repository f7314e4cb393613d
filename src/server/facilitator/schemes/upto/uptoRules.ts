import type { AccountAddress, ContractAddress } from '../../../../protocol/index.ts';

/** A facilitator's rules for `upto` payments. */
export interface UptoRules {
  /** The settlement contract that it serves. */
  readonly contract: ContractAddress;
  /** Every account of the facilitator. */
  readonly own: ReadonlySet<AccountAddress>;
  readonly maxTxFeeStroops: bigint;
  readonly inclusionFeeStroops: bigint;
}
