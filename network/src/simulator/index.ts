export type { Simulation } from './ledgerRun.ts';
export { serveSimulations } from './serveSimulations.ts';
export { Simulator } from './simulator.ts';
export { SimulatorError } from './simulatorError.ts';
