export { chargeFee, refundFee } from './chargeFee.ts';
export { applyClassicOperations } from './classicOperations.ts';
export { prepareSorobanTransaction, prepareTransaction } from './prepareTransaction.ts';
