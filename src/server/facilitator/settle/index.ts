/** One settlement, from its request to its answer. */

export { askWitnesses } from './askWitnesses.ts';
export type { Caller } from './caller.ts';
export { concluded } from './concluded.ts';
export { fateBeside, recordPaidElsewhere } from './fateBeside.ts';
export { asArrived, detailOf, replayRefusal } from './knownOutcome.ts';
export { ledgerWitness } from './ledgerWitness.ts';
export { notifyCatalog } from './notifyCatalog.ts';
export { isSameSale, PAYMENT_IDENTIFIER, paymentIdentifierOf } from './paymentIdentifier.ts';
export { recordDelivery } from './recordDelivery.ts';
export { feeOf } from './settlementAttempt.ts';
export { settlePayment } from './settlePayment.ts';
