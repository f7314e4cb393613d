import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';
import { RpcError } from './rpcError.ts';

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

const hashes = z.object({ ledgers: z.array(z.object({ sequence: z.number(), hash: z.string() })) });

/** The hash of a closed ledger; `undefined` if the server does not have that ledger. */
export async function ledgerHash(call: RpcCall, sequence: number): Promise<string | undefined> {
  const params = { startLedger: sequence, pagination: { limit: 1 } };
  try {
    const { ledgers } = await callAndRead(call, 'getLedgers', params, hashes);
    return ledgers.find((ledger) => ledger.sequence === sequence)?.hash;
  } catch (error) {
    // A ledger outside the server's history.
    if (error instanceof RpcError && error.code === 'refused' && !error.transient) return undefined;
    throw error;
  }
}
