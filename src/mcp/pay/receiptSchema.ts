import { z } from 'zod';
import { quoted } from '../../protocol/index.ts';
import type { Receipt } from './purse.ts';

export const receiptSchema = z.object({
  time: z.string().describe('When the payment was sent (ISO 8601)'),
  method: z.string(),
  url: z.string().describe('Without its query'),
  amount: z.string().describe('USDC, decimal'),
  payer: z.string(),
  payTo: z.string(),
  outcome: z
    .enum(['settled', 'unknown', 'not_settled'])
    .describe('The outcome on the ledger; unknown counts as spent'),
  transaction: z.string().nullable().describe('Hash, if known'),
  expirationLedger: z.number().describe('Last ledger in which it can settle'),
  delivered: z.boolean().describe('The seller delivered the resource'),
});

const OUTCOMES = {
  settled: 'settled on the ledger',
  unknown: 'not decided on the ledger yet',
  not_settled: 'can never settle: no money moved',
} as const;

/** Describes a receipt on one line. */
export function describeReceipt(receipt: Receipt): string {
  const { time, method, url, amount, payTo, outcome, transaction, delivered } = receipt;
  const hash = transaction === null ? '' : `, transaction ${transaction}`;
  const given = delivered ? 'resource given' : 'no resource';
  const until = outcome === 'unknown' ? ` (by ledger ${receipt.expirationLedger})` : '';
  return `${time} ${amount} USDC to ${payTo} for ${method} ${quoted(url)}: ${OUTCOMES[outcome]}${until}${hash}; ${given}.`;
}
