/** One settlement, from its request to its answer. */

export type { Caller } from './answerInTime.ts';
export { recordDelivery } from './answerInTime.ts';
export { isSameSale, PAYMENT_IDENTIFIER, paymentIdentifierOf } from './claimInTime.ts';
export {
  asArrived,
  concluded,
  detailOf,
  fateBeside,
  notifyCatalog,
  recordPaidElsewhere,
  replayRefusal,
} from './concludeSettlement.ts';
export { askWitnesses, ledgerWitness } from './ledgerWitness.ts';
export { settlePayment } from './settlePayment.ts';
