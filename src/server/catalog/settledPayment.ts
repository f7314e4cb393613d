import type { SettlementHash, StellarAddress } from '../../protocol/index.ts';
import type { Declared } from './declaration/readDeclaration.ts';
import type { PaymentOption } from './paymentOption.ts';

/** A payment that the ledger has settled, as the catalog needs it. */
export interface SettledPayment {
  readonly hash: SettlementHash;
  readonly payer: StellarAddress;
  /** As the requirements name it; its one form is judged here. */
  readonly payTo: string;
  /** What moved, in atomic units; under `upto` at most what was accepted. */
  readonly moved: bigint;
  /** What was accepted: the option that this payment took. */
  readonly option: PaymentOption;
  readonly declared: Declared;
}
