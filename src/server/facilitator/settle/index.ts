/** One settlement, from its request to its answer. */

export type { Caller } from './answerInTime.ts';
export { recordDelivery } from './answerInTime.ts';
export {
  asArrived,
  concluded,
  detailOf,
  fateBeside,
  isOfOldNetwork,
  notifyCatalog,
  recordPaidElsewhere,
  replayRefusal,
} from './concludeSettlement.ts';
export { askWitnesses, ledgerWitness } from './ledgerWitness.ts';
export { isSameSale, PAYMENT_IDENTIFIER, paymentIdentifierOf } from './paymentIdentifier.ts';
export { refuseIfLimited } from './provePayer.ts';
export { settlePayment } from './settlePayment.ts';
