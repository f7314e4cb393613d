import type { StellarAddress } from '../../../protocol/index.ts';
import { notCataloged } from '../../../protocol/wire/index.ts';
import type { Decision, SettlementRecord } from '../../settlement/index.ts';
import {
  type PreparedPayment,
  type Refusal,
  refusal,
  type SettleOutcome,
} from '../payment/index.ts';
import { fateInRecord, knownFrom } from '../truth/index.ts';

/** Returns why a payment was not made, for its record; `undefined` for one that was. */
export function detailOf(decision: Decision): string | undefined {
  switch (decision.status) {
    case 'succeeded':
      return undefined;
    case 'failed':
      return `FAILED ${decision.resultCode}`;
    case 'dropped':
      return 'no ledger included the transaction';
  }
}

/**
 * Refuses a second presentation. What the journal cannot prove, such as what became of an authorization whose transaction failed,
 * is left to whoever completes the answer from the ledger.
 */
export function replayRefusal(record: SettlementRecord, payer: StellarAddress): Refusal {
  const { state, transaction } = record;
  const fate = fateInRecord(record);
  const hash = transaction?.hash;
  if (fate !== undefined) {
    return { ...refusal('authorization_replayed', payer), known: knownFrom(fate) };
  }
  if (state === 'failed') {
    const detail = `its transaction ${hash} failed on the ledger`;
    return refusal('authorization_replayed', payer, detail);
  }
  if (state === 'unproven') return refusal('authorization_replayed', payer);
  const detail = 'it is being settled: send the identical request again to get the outcome';
  const known = { moneyMoved: 'unknown', hash } as const;
  return { ...refusal('authorization_replayed', payer, detail), known };
}

/** Returns the outcome in the journal; `undefined` while there is none. */
export function decidedOutcome(
  record: SettlementRecord,
  payment: PreparedPayment,
): SettleOutcome | undefined {
  const { payer } = payment;
  const hash = record.transaction?.hash;
  if (hash === undefined) return undefined;
  switch (record.state) {
    case 'settled': {
      const bazaar = notCataloged('cataloging_error');
      return { status: 'settled', payment, hash, extensions: record.extensions ?? { bazaar } };
    }
    case 'failed': {
      const rejection = refusal('transaction_failed', payer, record.detail ?? 'failed');
      return { status: 'failed', hash, rejection };
    }
    default:
      return undefined;
  }
}

/** Returns the answer for an undecided settlement: the hash, if any, and no statement about money. */
export function undecidedOutcome(record: SettlementRecord, payer: StellarAddress): SettleOutcome {
  const rejection = refusal('settlement_pending', payer);
  const hash = record.transaction?.hash;
  return hash === undefined
    ? { status: 'rejected', rejection }
    : { status: 'pending', hash, rejection };
}
