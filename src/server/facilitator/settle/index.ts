/** One settlement, from its request to its answer. */

export { isSameSale } from './answerRepeat.ts';
export { askWitnesses } from './askWitnesses.ts';
export type { Caller } from './caller.ts';
export { fateBeside, recordPaidElsewhere } from './fateBeside.ts';
export { detailOf, replayRefusal } from './knownOutcome.ts';
export { ledgerWitness } from './ledgerWitness.ts';
export { notifyCatalog } from './notifyCatalog.ts';
export { PAYMENT_IDENTIFIER, paymentIdentifierOf } from './paymentIdentifier.ts';
export { recordDelivery } from './recordDelivery.ts';
export { settlePayment } from './settlePayment.ts';
