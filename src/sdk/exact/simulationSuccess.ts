import { RpcFailedError } from './errors.ts';
import { explainSimulation, restoreRequired } from './explainSimulation.ts';
import type { RpcSimulation } from './sorobanRpc.ts';

/** A simulation that found resources. */
export type Succeeded = RpcSimulation & { transactionData: string; minResourceFee: string };

/**
 * Takes a simulation that succeeded.
 * @throws CannotPayError when the network would not execute it, RpcFailedError when it says neither
 */
export function succeed(simulation: RpcSimulation): Succeeded {
  const { error, restorePreamble, transactionData, minResourceFee } = simulation;
  if (typeof error === 'string') throw explainSimulation(error);
  if (restorePreamble !== undefined && restorePreamble !== null) throw restoreRequired();
  if (typeof transactionData !== 'string' || typeof minResourceFee !== 'string') {
    throw new RpcFailedError("The RPC's simulation has neither an error nor resources.");
  }
  return { ...simulation, transactionData, minResourceFee };
}

/** Reads XDR that the RPC sent. @throws RpcFailedError */
export function decode<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new RpcFailedError("The RPC's simulation holds XDR that cannot be read.", { cause });
  }
}
