export { prepareTransaction } from './beforeOperations.ts';
export { chargeFee } from './chargeFee.ts';
export { applyClassicOperations } from './classicOperations.ts';
export { refundFee } from './refundFee.ts';
export { type OperationRecord, TransactionMetaBuilder } from './transactionMeta.ts';
