import type { AtomicAmount, SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import { notCataloged } from '../../../protocol/wire/index.ts';
import type { Conclusion, SettlementRecord } from '../../settlement/index.ts';
import {
  type PreparedPayment,
  type Refusal,
  refusal,
  type SettleOutcome,
} from '../payment/index.ts';
import { knownInRecord, knownOfShort } from '../truth/index.ts';

/** Returns why a payment was not made, for its record; `undefined` for one that was. */
export function detailOf(conclusion: Conclusion): string | undefined {
  switch (conclusion.status) {
    case 'succeeded':
      return undefined;
    case 'short':
      return `${conclusion.arrived} arrived`;
    case 'failed':
      return `FAILED ${conclusion.resultCode}`;
    case 'dropped':
      return 'no ledger included the transaction';
  }
}

/**
 * Refuses a second presentation. What the journal cannot prove, such as what became of an authorization whose transaction failed,
 * is added from the ledger later.
 */
export function replayRefusal(record: SettlementRecord, payer: StellarAddress): Refusal {
  const { state, transaction } = record;
  const proved = knownInRecord(record);
  const hash = transaction?.hash;
  if (proved !== undefined) return { ...refusal('authorization_replayed', payer), known: proved };
  if (state === 'failed') {
    const detail = `its transaction ${hash} failed on the ledger`;
    return refusal('authorization_replayed', payer, detail);
  }
  if (state === 'unproven') return refusal('authorization_replayed', payer);
  const detail = 'it is being settled: send the identical request again to get the outcome';
  const known = { moneyMoved: 'unknown', hash } as const;
  return { ...refusal('authorization_replayed', payer, detail), known };
}

/** The outcome of a settlement whose transaction succeeded and shows less than the payment. */
export function shortOutcome(
  arrived: bigint,
  { hash, ledger }: { readonly hash: SettlementHash; readonly ledger: number | undefined },
  { payer, amount }: PreparedPayment,
): SettleOutcome {
  const known = knownOfShort(arrived, amount, { hash, ledger });
  return { status: 'failed', hash, rejection: { ...refusal('paid_less', payer), known } };
}

/** The payment with what arrived as its amount, if that is more than was agreed. */
export function asArrived(payment: PreparedPayment, arrived: bigint | undefined): PreparedPayment {
  return arrived === undefined ? payment : { ...payment, amount: arrived as AtomicAmount };
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
      const paid = asArrived(payment, record.arrived);
      return {
        status: 'settled',
        payment: paid,
        hash,
        extensions: record.extensions ?? { bazaar },
      };
    }
    case 'failed': {
      const { arrived, ledger } = record;
      if (arrived !== undefined) return shortOutcome(arrived, { hash, ledger }, payment);
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
