import { RpcFailedError } from './errors.ts';
import { explainSimulation, restoreRequired } from './explainSimulation.ts';
import type { RpcSimulation } from './sorobanRpc.ts';

/** A successful simulation, with resources. */
export type Succeeded = RpcSimulation & { transactionData: string; minResourceFee: string };

/**
 * Returns a simulation if it succeeded.
 * @throws CannotPayError if the network would not execute it, RpcFailedError if the result is neither
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
    throw new RpcFailedError("The RPC's simulation contains unreadable XDR.", { cause });
  }
}
