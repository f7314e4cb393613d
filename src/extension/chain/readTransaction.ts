import * as z from 'zod/mini';
import type { HttpTransport } from '../../sdk/exact/index.ts';
import { getJson } from '../http/index.ts';

const transactionSchema = z.looseObject({
  hash: z.string(),
  ledger: z.number(),
  created_at: z.string(),
  source_account: z.string(),
  fee_account: z.string(),
  fee_charged: z.union([z.string(), z.number()]),
  successful: z.boolean(),
  envelope_xdr: z.string(),
  /** Some Horizon servers omit it to save space. */
  result_meta_xdr: z.nullish(z.string()),
});

export type ChainTransaction = z.infer<typeof transactionSchema>;

/** Fetches a transaction in Horizon's form. @throws ReadError */
export function readTransaction(
  horizonUrl: string,
  hash: string,
  transport: HttpTransport,
): Promise<ChainTransaction> {
  return getJson(transport, `${horizonUrl}/transactions/${hash}`, transactionSchema);
}
