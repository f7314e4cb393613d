import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const stroops = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);

const schema = z.object({ sorobanInclusionFee: z.object({ p90: stroops }) });

/**
 * Returns what nine of ten contract transactions of the last ledgers paid at most for inclusion, in
 * stroops.
 */
export async function getFeeStats(call: RpcCall): Promise<bigint> {
  return (await callAndRead(call, 'getFeeStats', undefined, schema)).sorobanInclusionFee.p90;
}
