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

/** The hash that it settled with. */
export const hashOf = (outcome: SettleOutcome): SettlementHash | undefined =>
  outcome.status === 'settled' ? outcome.hash : undefined;
