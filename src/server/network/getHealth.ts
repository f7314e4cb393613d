import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';
import { RpcError } from './rpcError.ts';

const schema = z.object({
  status: z.string(),
  latestLedger: z.number(),
  oldestLedger: z.number(),
  oldestLedgerCloseTime: z.coerce.string().optional(),
});

/** JSON-RPC's code for a method that the server does not have. */
const NO_METHOD = -32_601;

/** What a server says of itself. */
export interface NetworkHealth {
  /** Why the server cannot serve now, for example because its ledgers are too old; `undefined` if it is healthy. */
  readonly problem: string | undefined;
  /** The ledgers that it has; `undefined` if it does not say. */
  readonly ledgers:
    | {
        readonly latest: number;
        readonly oldest: number;
        readonly oldestClosedAt: string | undefined;
      }
    | undefined;
}

/** Asks a server whether it serves. Rejects with RpcError without a readable answer. */
export async function getHealth(call: RpcCall): Promise<NetworkHealth> {
  try {
    const health = await callAndRead(call, 'getHealth', undefined, schema);
    const { status, latestLedger: latest, oldestLedger: oldest } = health;
    return {
      problem: status === 'healthy' ? undefined : status,
      ledgers: { latest, oldest, oldestClosedAt: health.oldestLedgerCloseTime },
    };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'refused') throw error;
    // A gateway without the method says nothing about the ledgers.
    const problem = error.rpcCode === NO_METHOD ? undefined : error.message;
    return { problem, ledgers: undefined };
  }
}
