import type { LedgerEngine } from '../close/index.ts';
import { Simulator } from '../simulator/index.ts';

const PROGRAM = {
  from: import.meta.url,
  source: './simulationWorker.ts',
  bundle: './simulation-worker.js',
};

/**
 * Creates the simulator for `simulateTransaction`.
 * @param isOwnCode whether a contract's code, by its SHA-256 in hex, is one of the project's own
 */
export function openSimulator(
  engine: LedgerEngine,
  isOwnCode: (hash: string) => boolean,
): Simulator {
  return new Simulator(engine, isOwnCode, PROGRAM);
}
