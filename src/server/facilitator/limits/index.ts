/** Limits on what the sponsor spends, and for whom. */

export {
  createPayerBackOff,
  describePause,
  FAILURES_LAST_MS,
  type PayerBackOff,
} from './payerBackOff.ts';
export { PayerFunds } from './payerFunds.ts';
export { shareFunds } from './shareFunds.ts';
export {
  createBoundRecipients,
  createSpendControls,
  type FeesElsewhere,
  NO_FEES_ELSEWHERE,
  resourceOf,
  type SpendControls,
  type SpendRefusal,
  spendingOf,
  sumFees,
} from './spendControls.ts';
export { UnprovenPayers } from './unprovenPayers.ts';
