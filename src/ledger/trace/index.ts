export { CostCollector, type CostReport, type FunctionCost } from './costReport.ts';
export { flameGraph } from './flameGraph.ts';
export { type SimulationTrace, traceSimulation } from './simulationTrace.ts';
export type { AddressNames } from './traceText.ts';
export { type TransactionTrace, traceTransaction } from './transactionTrace.ts';
