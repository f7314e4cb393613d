import { z } from 'zod';

/** Response of `GET /settlements/{hash}` and `GET /settlements?payer=…&nonce=…`. */
export const settlementStatusSchema = z.object({
  state: z.enum(['settling', 'settled', 'failed', 'never_submitted', 'unproven']),
  /** Whether the payer's money moved; `fees`: only the sponsor paid. */
  moneyMoved: z.enum(['no', 'not_yet', 'yes', 'fees', 'unknown']),
  /** Settlement hash; null until there is a transaction. */
  transaction: z.string().nullable(),
  ledger: z.number().nullable(),
  network: z.string(),
  payer: z.string().nullable(),
  payTo: z.string().nullable(),
  asset: z.string().nullable(),
  /** In atomic units. */
  amount: z.string().nullable(),
  /** Stroops that the sponsor paid. */
  feeCharged: z.string(),
  presentedAt: z.string(),
  updatedAt: z.string(),
});

export type SettlementStatusResponse = z.infer<typeof settlementStatusSchema>;
