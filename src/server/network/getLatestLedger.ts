import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const schema = z.object({ sequence: z.number() });

/** Sequence number of the latest ledger the server has. */
export async function getLatestLedger(call: RpcCall): Promise<number> {
  return (await callAndRead(call, 'getLatestLedger', undefined, schema)).sequence;
}
