/** One settlement, from its request to its answer. */

export type { Caller } from './answerInTime.ts';
export { recordDelivery, recordUndelivered } from './answerInTime.ts';
export {
  checkIdentified,
  isSameSale,
  namesSameSale,
  PAYMENT_IDENTIFIER,
  paymentIdentifierOf,
} from './claimInTime.ts';
export {
  asArrived,
  isOfOldNetwork,
  notifyCatalog,
  recordLate,
  replayRefusal,
} from './concludeSettlement.ts';
export { askWitnesses, ledgerWitness } from './ledgerWitness.ts';
export { refuseIfLimited } from './provePayer.ts';
export { settlePayment } from './settlePayment.ts';
