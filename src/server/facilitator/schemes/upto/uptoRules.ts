import type { AccountAddress, ContractAddress } from '../../../../protocol/index.ts';

/** What a facilitator holds `upto` payments to. */
export interface UptoRules {
  /** The settlement contract that it serves. */
  readonly contract: ContractAddress;
  /** Every account of the facilitator. */
  readonly own: ReadonlySet<AccountAddress>;
  readonly maxTxFeeStroops: bigint;
  readonly inclusionFeeStroops: bigint;
}
