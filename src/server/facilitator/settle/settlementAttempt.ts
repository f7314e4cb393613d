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

import type { Simulated } from './provePayer.ts';

/** Callbacks between a settlement and the request that waits for it. */
export interface SettlementCallbacks {
  /** Called if the ledger has not decided in time. */
  readonly onPending: (hash: SettlementHash) => void;
  /** Called right before the hash of a transaction is recorded, before it may be sent. */
  readonly onSending: (hash: SettlementHash) => void;
  /** Called when the settlement starts and stops waiting for the store. */
  readonly onStore: (waits: boolean) => void;
  /** Whether nobody waits any more, so that nothing new may be sent. */
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
  /** The simulation that proved its payer, if it took one. */
  readonly simulated?: Simulated | undefined;
}

/** A settlement in progress: its payment, and whether its transaction may have been sent. */
export interface SettlementAttempt extends ClaimedPayment {
  readonly callbacks: SettlementCallbacks;
  /** Last hash that may be in the journal as being submitted. */
  journaled: SettlementHash | undefined;
  /** Hash of the transaction that may have reached the network; `undefined` if none can have. */
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
