export { type SimulationTrace, traceSimulation } from './simulationTrace.ts';
export type { AddressNames } from './traceText.ts';
export { type TransactionTrace, traceTransaction } from './transactionTrace.ts';
