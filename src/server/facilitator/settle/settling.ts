import type { SettlementHash } from '../../../protocol/index.ts';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { SimulationSuccess } from '../../network/index.ts';
import type { SettlementRecord } from '../../settlement/index.ts';
import {
  type PaymentScheme,
  type PreparedPayment,
  type Rejection,
  refusal,
  type SettleOutcome,
} from '../payment/index.ts';

/** A simulation that accepted a payment. */
export interface Simulated {
  readonly success: SimulationSuccess;
  /** Elapsed time of the clock when it began. */
  readonly begunAt: number;
}

/** A payment whose payer has signed it. */
export interface SignedPayment {
  readonly request: FacilitatorRequest;
  readonly scheme: PaymentScheme;
  readonly payment: PreparedPayment & {
    readonly authorization: NonNullable<PreparedPayment['authorization']>;
  };
}

/** A payment whose authorization is claimed for this settlement. */
export interface ClaimedPayment extends SignedPayment {
  readonly record: SettlementRecord;
  /** The simulation that proved its payer, if it took one. */
  readonly simulated: Simulated | undefined;
}

/** What a settlement does next, for the request that waits for it. */
export type Progress =
  /** It waits for the store, or for the ledger. */
  | { readonly at: 'store' | 'ledger' }
  /** The transaction will be recorded as being sent. A settlement that is stopped here sends nothing. */
  | { readonly at: 'recording'; readonly hash: SettlementHash }
  /** The network may have the transaction from now on. */
  | { readonly at: 'sending'; readonly hash: SettlementHash }
  /** The network certainly did not accept it. */
  | { readonly at: 'not_sent' }
  /** The ledger has not decided in time; the search continues. */
  | { readonly at: 'pending'; readonly hash: SettlementHash };

/** The steps of a settlement: they yield their progress and return their result. */
export type Settling<T> = AsyncGenerator<Progress, T, void>;

/** The outcome of a settlement that is refused; nothing was submitted. */
export function refused(
  code: Rejection['code'],
  { payment: { payer } }: SignedPayment,
  detail?: string,
): Extract<SettleOutcome, { status: 'rejected' }> {
  return { status: 'rejected', rejection: refusal(code, payer, detail) };
}

/** The outcome of a settlement whose transaction may be on its way. */
export function undecided(
  hash: SettlementHash,
  { payment: { payer } }: SignedPayment,
): Extract<SettleOutcome, { status: 'pending' }> {
  return { status: 'pending', hash, rejection: refusal('settlement_pending', payer) };
}
