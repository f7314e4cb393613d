import type { SettlementHash } from '../../protocol/index.ts';
import type { FacilitatorRequest } from '../../protocol/wire/index.ts';
import type { SettlementRecord } from '../settlement/index.ts';
import type { SettleOutcome } from './outcomes.ts';
import type { PaymentScheme, PreparedPayment } from './paymentScheme.ts';
import type { Rejection } from './rejection.ts';

/** What whoever waits for a settlement and the settlement tell each other. */
export interface SettlementWatch {
  /** Told when the ledger has not decided in time. */
  readonly onPending: (hash: SettlementHash) => void;
  /** Told before a transaction may leave for the network, and of none when it was not taken. */
  readonly onSending: (hash: SettlementHash | undefined) => void;
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
export interface Run extends ClaimedPayment {
  readonly watch: SettlementWatch;
  /** Last hash that may stand in the journal as being submitted. */
  journaled: SettlementHash | undefined;
  /** Hash of the transaction that may have reached the network; `undefined` while none can have. */
  hash: SettlementHash | undefined;
  feeCharged: bigint;
}

/** The payment is refused, and nothing was submitted. */
export function refuse(code: Rejection['code'], run: Run, detail?: string): SettleOutcome {
  const { payer } = run.payment;
  return {
    status: 'rejected',
    rejection: detail === undefined ? { code, payer } : { code, payer, detail },
  };
}

/** The transaction may be on its way. */
export function pending(hash: SettlementHash, { payment: { payer } }: Run): SettleOutcome {
  return { status: 'pending', hash, rejection: { code: 'settlement_pending', payer } };
}
