import { z } from 'zod';
import type { SettlementHash } from '../../protocol/index.ts';
import { RpcError } from './rpcError.ts';

const TIMEOUT_MS = 6_000;

const schema = z.object({
  hash: z.string(),
  successful: z.boolean(),
  ledger: z.number().int().positive(),
  fee_charged: z.coerce.bigint(),
});

/** Horizon's record of a transaction. */
export interface HorizonTransaction {
  readonly successful: boolean;
  readonly ledger: number;
  /** Stroops. */
  readonly feeCharged: bigint;
}

/**
 * Looks up a transaction at a Horizon server, which keeps a longer history than an RPC server.
 * @returns `undefined` if Horizon does not have it, which proves nothing
 * @throws RpcError without a readable response
 */
export async function askHorizon(
  horizonUrl: string,
  hash: SettlementHash,
): Promise<HorizonTransaction | undefined> {
  const url = `${horizonUrl.replace(/\/+$/, '')}/transactions/${hash}`;
  let answer: unknown;
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/json' },
    });
    if (response.status === 404) return undefined;
    answer = await response.json();
  } catch {
    throw new RpcError('unreachable', 'transactions', 'Horizon did not answer');
  }
  const read = schema.safeParse(answer);
  if (!read.success || read.data.hash !== hash) {
    throw new RpcError('bad_answer', 'transactions', 'not the transaction with this hash');
  }
  const { successful, ledger, fee_charged: feeCharged } = read.data;
  return { successful, ledger, feeCharged };
}
