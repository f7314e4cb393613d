export { currentEnvelope } from './currentEnvelope.ts';
export { InnerTransaction } from './innerTransaction.ts';
export {
  isSorobanBody,
  type ParsedOperation,
  type SorobanOperationBody,
} from './parsedOperation.ts';
export { type FeeBump, ParsedTransaction } from './parsedTransaction.ts';
export type { TransactionPreconditions } from './preconditions.ts';
