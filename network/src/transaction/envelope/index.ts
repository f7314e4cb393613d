export {
  currentEnvelope,
  type FeeBump,
  InnerTransaction,
  isSorobanBody,
  type ParsedOperation,
  ParsedTransaction,
  type SorobanOperationBody,
  type TransactionPreconditions,
} from './parsedTransaction.ts';
