/** One settlement, from its request to its answer. */
export { notifyCatalog } from './notifyCatalog.ts';
export { settlePayment } from './settlePayment.ts';
