import { z } from 'zod';
import { quoted } from '../../protocol/index.ts';
import type { Receipt } from './purse.ts';

export const receiptSchema = z.object({
  time: z.string().describe('When the payment was sent (ISO 8601)'),
  method: z.string(),
  url: z.string().describe('With its query'),
  amount: z.string().describe('USDC, decimal'),
  payer: z.string(),
  payTo: z.string(),
  outcome: z
    .enum(['settled', 'not_yet', 'unknown', 'not_settled'])
    .describe('The outcome on the ledger; not_yet and unknown count as spent'),
  transaction: z.string().nullable().describe('Hash, if known'),
  expirationLedger: z.number().describe('Last ledger in which it can settle'),
  delivered: z.boolean().describe('The resource was handed to a client that still waited'),
});

/** The longest URL that x402_call takes. */
const MAX_URL = 4_000;

const OUTCOMES = {
  settled: 'settled on the ledger',
  not_yet: 'nothing was paid so far, and it can still settle',
  unknown: 'its outcome is not known now',
  not_settled: 'can never settle: no money moved',
} as const;

/** Describes a receipt on one line. */
export function describeReceipt(receipt: Receipt): string {
  const { time, method, url, amount, payTo, outcome, transaction, delivered } = receipt;
  const hash = transaction === null ? '' : `, transaction ${transaction}`;
  const given = delivered ? 'resource given' : 'no resource';
  const isOpen = outcome === 'not_yet' || outcome === 'unknown';
  const until = isOpen ? ` (by ledger ${receipt.expirationLedger})` : '';
  return `${time} ${amount} USDC to ${payTo} for ${method} ${quoted(url, MAX_URL)}: ${OUTCOMES[outcome]}${until}${hash}; ${given}.`;
}
