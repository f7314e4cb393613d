export { callWords } from './callWords.ts';
export {
  type ContractBook,
  contractBook,
  findCode,
  findInstance,
  type KnownContract,
} from './contractBook.ts';
export type { ContractInterface, NamedType } from './contractInterface.ts';
export { CostCollector, type CostReport, type FunctionCost } from './costReport.ts';
export { flameGraph } from './flameGraph.ts';
export { type SimulationTrace, traceSimulation } from './simulationTrace.ts';
export type { TracedValue } from './trace.ts';
export type { AddressNames } from './traceText.ts';
export { type TransactionTrace, traceTransaction } from './transactionTrace.ts';
export { typeText } from './typeText.ts';
export { TextRoom, valueText } from './valueText.ts';
