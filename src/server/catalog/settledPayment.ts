import type { SettlementHash, StellarAddress } from '../../protocol/index.ts';
import type { Declared } from './declaration/readDeclaration.ts';
import type { PaymentOption } from './paymentOption.ts';

/** A payment that the ledger has settled, as the catalog needs it. */
export interface SettledPayment {
  readonly hash: SettlementHash;
  readonly payer: StellarAddress;
  /** As in the requirements; the catalog converts it to its canonical form. */
  readonly payTo: string;
  /** The settled amount, in atomic units; under `upto` at most the accepted amount. */
  readonly moved: bigint;
  /** Whether the ledger itself moved it; what only a token reports is not counted. */
  readonly isProved: boolean;
  /** The accepted option of this payment. */
  readonly option: PaymentOption;
  readonly declared: Declared;
}
