import { RpcError } from '../network/index.ts';
import { PolicyError } from './policyError.ts';

/** Converts failures of the network to PolicyError `ledger_unavailable`. */
export async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw new PolicyError('ledger_unavailable', error.message);
    throw error;
  }
}
