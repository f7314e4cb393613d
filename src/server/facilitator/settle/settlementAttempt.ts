import type { SettlementHash } from '../../../protocol/index.ts';
import type { FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { Decision, SettlementRecord } from '../../settlement/index.ts';
import {
  type PaymentScheme,
  type PreparedPayment,
  type Rejection,
  refusal,
  type SettleOutcome,
} from '../payment/index.ts';

/** Callbacks between a settlement and the request that waits for it. */
export interface SettlementCallbacks {
  /** Told when the ledger has not decided in time. */
  readonly onPending: (hash: SettlementHash) => void;
  /** Called right before the hash of a transaction is written down, before it may leave. */
  readonly onSending: (hash: SettlementHash) => void;
  /** Called when the settlement begins and stops to wait for the store. */
  readonly onStore: (waits: boolean) => void;
  /** Whether nobody waits any more, so that nothing may be sent that has not been. */
  readonly givenUp: () => boolean;
}

/** A payment whose authorization is claimed for this settlement. */
export interface ClaimedPayment {
  readonly request: FacilitatorRequest;
  readonly scheme: PaymentScheme;
  readonly payment: PreparedPayment & {
    readonly authorization: NonNullable<PreparedPayment['authorization']>;
  };
  readonly record: SettlementRecord;
}

/** A settlement under way: what is being settled, and whether it may have left for the network. */
export interface SettlementAttempt extends ClaimedPayment {
  readonly callbacks: SettlementCallbacks;
  /** Last hash that may stand in the journal as being submitted. */
  journaled: SettlementHash | undefined;
  /** Hash of the transaction that may have reached the network; `undefined` while none can have. */
  hash: SettlementHash | undefined;
  /** The ledger's decision; `undefined` until there is one. */
  decision: Decision | undefined;
}

/** The outcome of an attempt that is refused; nothing was submitted. */
export function refused(
  code: Rejection['code'],
  { payment: { payer } }: SettlementAttempt,
  detail?: string,
): SettleOutcome {
  return { status: 'rejected', rejection: refusal(code, payer, detail) };
}

/** The outcome of an attempt whose transaction may be on its way. */
export function undecided(
  hash: SettlementHash,
  { payment: { payer } }: SettlementAttempt,
): SettleOutcome {
  return { status: 'pending', hash, rejection: refusal('settlement_pending', payer) };
}

/** Stroops that the ledger charged for an attempt. */
export function feeOf({ decision }: Pick<SettlementAttempt, 'decision'>): bigint {
  return decision === undefined || decision.status === 'dropped' ? 0n : decision.feeCharged;
}
