import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const schema = z.object({
  ledgers: z.array(z.object({ sequence: z.number(), ledgerCloseTime: z.coerce.number() })),
});

export interface ClosedLedger {
  readonly sequence: number;
  /** Unix seconds. */
  readonly closedAt: number;
}

/** Up to `limit` ledgers from `startLedger` on, in order. */
export async function getLedgers(
  call: RpcCall,
  startLedger: number,
  limit: number,
): Promise<ClosedLedger[]> {
  const params = { startLedger, pagination: { limit } };
  const { ledgers } = await callAndRead(call, 'getLedgers', params, schema);
  return ledgers.map(({ sequence, ledgerCloseTime }) => ({ sequence, closedAt: ledgerCloseTime }));
}
