export type { Simulation } from './ledgerRun.ts';
export { serveSimulations } from './serveSimulations.ts';
export { SimulatorError } from './simulationThread.ts';
export { Simulator } from './simulator.ts';
