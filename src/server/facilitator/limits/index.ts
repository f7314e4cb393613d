/** Limits on what the sponsor spends, and for whom. */
export { createBoundRecipients } from './boundRecipients.ts';
export {
  createPayerBackOff,
  describePause,
  FAILURES_LAST_MS,
  type PayerBackOff,
} from './payerBackOff.ts';
export { PayerFunds } from './payerFunds.ts';
export { shareFunds } from './shareFunds.ts';
export {
  createSpendControls,
  type FeesElsewhere,
  NO_FEES_ELSEWHERE,
  type SpendControls,
  type SpendRefusal,
  sumFees,
} from './spendControls.ts';
export { resourceOf, spendingOf } from './spendingOf.ts';
export { UnprovenPayers } from './unprovenPayers.ts';
