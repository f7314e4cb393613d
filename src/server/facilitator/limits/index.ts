/** What the sponsor spends, and for whom. */
export { createBoundRecipients } from './boundRecipients.ts';
export { createSpendControls, type SpendControls, type SpendRefusal } from './spendControls.ts';
export { spendingOf } from './spendingOf.ts';
