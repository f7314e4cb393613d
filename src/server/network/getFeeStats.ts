import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const stroops = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);

const schema = z.object({ sorobanInclusionFee: z.object({ p90: stroops }) });

/**
 * Returns the 90th percentile of the inclusion fees of contract transactions in the last ledgers, in
 * stroops.
 */
export async function getFeeStats(call: RpcCall): Promise<bigint> {
  return (await callAndRead(call, 'getFeeStats', undefined, schema)).sorobanInclusionFee.p90;
}
