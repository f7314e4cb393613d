import type { SettlementHash } from '../../src/protocol/index.ts';
import type { SettleOutcome, VerifyOutcome } from '../../src/server/facilitator/index.ts';

type Rejection = Extract<SettleOutcome, { readonly rejection: object }>['rejection'];

/** What an answer says, without the payment that it repeats. */
export function said(outcome: SettleOutcome): object {
  if (outcome.status !== 'settled') return outcome;
  const { status, hash, extensions } = outcome;
  return { status, hash, extensions };
}

/** Why it was not settled, or not yet. */
export const rejectionOf = (outcome: SettleOutcome | VerifyOutcome): Rejection | undefined =>
  'rejection' in outcome ? outcome.rejection : undefined;

/** What is known of an authorization that can still pay, beside a transaction that did not. */
export const openUntil = (until: number, hash?: SettlementHash, ledger?: number): object => ({
  ...{ moneyMoved: 'not_yet', hash, ledger, until },
  inWords: `nothing was paid so far; the authorization can still pay until ledger ${until}`,
});

/** What is known of an authorization that expired unused, beside a transaction that no ledger included. */
export const expiredUnused = (hash: SettlementHash | undefined): object => ({
  ...{ moneyMoved: 'no', hash, ledger: undefined },
  inWords:
    'nothing was paid, and this authorization can no longer pay: it has expired, and no ledger has a transaction with it',
});

/** What is known of an authorization that has paid. */
export const paidAs = (hash: SettlementHash | undefined, ledger: number): object => ({
  ...{ moneyMoved: 'yes', hash, ledger },
  inWords: `the payment is made: transaction ${hash} in ledger ${ledger}`,
});

/** The hash that it settled with. */
export const hashOf = (outcome: SettleOutcome): SettlementHash | undefined =>
  outcome.status === 'settled' ? outcome.hash : undefined;
