import type { StellarAddress } from '../../../protocol/index.ts';
import { notCataloged } from '../../../protocol/wire/index.ts';
import type { Decision, SettlementRecord } from '../../settlement/index.ts';
import {
  type KnownFate,
  type PreparedPayment,
  type Refusal,
  refusal,
  type SettleOutcome,
} from '../payment/index.ts';

/**
 * Returns the journal's knowledge of the money that an authorization moves. Every answer about that comes from here (issue: one
 * truth for each authorization).
 */
export function fateOf({ state, transaction, ledger }: SettlementRecord): KnownFate {
  const hash = transaction?.hash;
  switch (state) {
    case 'settled':
      return { moneyMoved: 'yes', hash, ledger };
    case 'failed':
      return { moneyMoved: 'fees', hash, ledger };
    case 'never_sent':
      return { moneyMoved: 'no' };
    case 'claimed':
    case 'submitting':
    case 'unproven':
      return { moneyMoved: 'unknown', hash };
  }
}

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

function inWords({ moneyMoved, hash, ledger }: KnownFate): string {
  switch (moneyMoved) {
    case 'yes':
      return `it settled as ${hash} in ledger ${ledger}: the payment is made`;
    case 'fees':
      return `its transaction ${hash} failed on the ledger: nothing was paid`;
    case 'no':
      return 'it was never submitted';
    case 'not_yet':
      return 'nothing was paid so far: send the identical request again';
    case 'unknown':
      return 'it is being settled: send the identical request again to get the outcome';
  }
}

/** Refuses a second presentation, with the outcome of the first. */
export function replayRefusal(record: SettlementRecord, payer: StellarAddress): Refusal {
  const known = fateOf(record);
  return { ...refusal('authorization_replayed', payer, inWords(known)), known };
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
