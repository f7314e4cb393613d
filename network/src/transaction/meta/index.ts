export { type OperationRecord, TransactionMetaBuilder } from './transactionMeta.ts';
