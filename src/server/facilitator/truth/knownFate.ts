import { type AuthorizationFate, fateInWords, moneyMovedBy } from '../../../protocol/fate/index.ts';
import type { SettlementHash } from '../../../protocol/index.ts';
import type { SettlementRecord } from '../../settlement/index.ts';
import type { KnownFate } from '../payment/index.ts';

/** A transaction of this service that did not pay, and its costs. */
export interface Tried {
  readonly hash: SettlementHash | undefined;
  readonly ledger: number | undefined;
  /** Stroops that the sponsor paid. */
  readonly feeCharged: bigint;
}

/** The statement that a fate permits; beside an unpaid one, it names the transaction that was tried. */
export function knownFrom(fate: AuthorizationFate, tried?: Tried): KnownFate {
  const inWords = fateInWords(fate);
  const moneyMoved = moneyMovedBy(fate);
  if (fate.state === 'paid') return { moneyMoved, hash: fate.hash, ledger: fate.ledger, inWords };
  const known = { moneyMoved, hash: tried?.hash, ledger: tried?.ledger, inWords };
  if (fate.state === 'open') return { ...known, until: fate.until };
  const hasFailed = fate.state === 'void' && tried !== undefined && tried.feeCharged > 0n;
  return hasFailed ? { ...known, moneyMoved: 'fees' } : known;
}

/** The transaction of a record that did not pay. */
export function triedIn({ transaction, ledger, feeCharged }: SettlementRecord): Tried {
  return { hash: transaction?.hash, ledger: feeCharged > 0n ? ledger : undefined, feeCharged };
}

/**
 * Returns what a record alone proves of its authorization; `undefined` if the ledger has to be read. A transaction that failed
 * or can no longer be included says nothing about it.
 */
function fateInRecord(record: SettlementRecord): AuthorizationFate | undefined {
  const { state, transaction, ledger, paid } = record;
  if (paid !== undefined) return { state: 'paid', ...paid, evidence: 'journal' };
  if (state !== 'settled') return undefined;
  return { state: 'paid', hash: transaction?.hash, ledger, evidence: 'journal' };
}

/** The statement about a transaction that succeeded and shows less than the payment, both in atomic units. */
export function knownOfShort(
  arrived: bigint,
  amount: bigint | undefined,
  included: Pick<KnownFate, 'hash' | 'ledger'>,
): KnownFate {
  const { hash, ledger } = included;
  const shown = { ...included, arrived };
  const where = `transaction ${hash} in ledger ${ledger} succeeded`;
  return arrived > 0n
    ? { moneyMoved: 'yes', ...shown, inWords: `${where}, and ${arrived} of ${amount} arrived` }
    : { moneyMoved: 'unknown', ...shown, inWords: `${where}, and shows nothing that arrived` };
}

/** Returns the statement that a record alone permits; `undefined` if the ledger has to be read. */
export function knownInRecord(record: SettlementRecord): KnownFate | undefined {
  const { state, arrived, terms, transaction, ledger } = record;
  if (state === 'failed' && arrived !== undefined) {
    return knownOfShort(arrived, terms?.amount, { hash: transaction?.hash, ledger });
  }
  const fate = fateInRecord(record);
  return fate && knownFrom(fate);
}

/** Whether a transaction of this service may still be on its way. */
export function isUnderWay({ state }: SettlementRecord): boolean {
  return state === 'claimed' || state === 'submitting';
}
