import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { quoted } from '../../protocol/index.ts';
import type { Budget, LedgerLimit, Purse } from './purse.ts';
import { purseResult } from './purseResult.ts';

const outputSchema = z.object({
  payer: z.string().describe('The account that pays'),
  key: z.string().describe('The key that signs'),
  state: z.enum(['limited', 'unlimited', 'revoked', 'expired', 'other_assets']),
  limits: z
    .array(
      z.object({
        policy: z.string().describe('Contract that holds the limit'),
        limit: z.string().describe('USDC per window'),
        spent: z.string(),
        left: z.string(),
        windowSeconds: z.number(),
        sliding: z.boolean().describe('Whether the window slides'),
        maxPayments: z
          .number()
          .nullable()
          .describe('Maximum payments per window; null: any number'),
        paymentsLeft: z.number().nullable(),
        resetsAt: z
          .string()
          .nullable()
          .describe('When more becomes available (ISO 8601); null while nothing is spent'),
        perPayment: z
          .string()
          .nullable()
          .describe('Maximum per payment; null: only the remaining budget limits it'),
        recipients: z.array(z.string()).nullable().describe('Allowed recipients; null: any'),
      }),
    )
    .describe('The limits on the ledger now'),
  balance: z.string().nullable().describe('USDC that the account holds'),
  ceiling: z
    .object({ limit: z.string(), left: z.string() })
    .nullable()
    .describe('Maximum in 24 hours, counted by this server'),
  askAbove: z.string().describe("Payments above this amount of USDC need a person's approval"),
  sellers: z.array(
    z.object({
      seller: z.string(),
      payTo: z.string(),
      payments: z.number(),
      spent: z.string().describe('USDC in settled receipts'),
      undecided: z.string().describe('USDC in payments that the ledger has not decided'),
    }),
  ),
});

/** `x402_budget`: the remaining budget on the ledger and the amounts paid to each seller. */
export function registerBudget(server: McpServer, purse: Purse): void {
  server.registerTool(
    'x402_budget',
    {
      title: 'Show the budget',
      description:
        'Shows the remaining budget on the ledger and the amounts paid to each seller, in USDC.',
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
    },
    () =>
      purseResult(async () => {
        const budget = await purse.budget();
        return {
          content: [{ type: 'text', text: describe(budget) }],
          structuredContent: { ...budget },
        };
      }),
  );
}

const STATES: Readonly<Record<Budget['state'], string>> = {
  limited: 'limited on the ledger',
  unlimited: 'without a limit on the ledger',
  revoked: 'revoked on the ledger and cannot pay',
  expired: 'expired on the ledger and cannot pay',
  other_assets: 'not allowed to spend USDC',
};

function describe(budget: Budget): string {
  const { payer, key, state, limits, balance, ceiling, askAbove, sellers } = budget;
  const lines = [`Key ${key} of ${payer}: ${STATES[state]}.`, ...limits.map(describeLimit)];
  if (balance !== null) lines.push(`The account holds ${balance} USDC.`);
  if (ceiling !== null) {
    lines.push(`This server pays at most ${ceiling.limit} USDC in 24 hours: ${ceiling.left} left.`);
  }
  lines.push(`Payments above ${askAbove} USDC need a person's approval.`);
  if (sellers.length === 0) lines.push('Nothing has been paid yet.');
  for (const { seller, payTo, payments, spent, undecided } of sellers) {
    const open = undecided === '0' ? '' : `, ${undecided} USDC undecided`;
    const count = `${payments} payment${payments === 1 ? '' : 's'}`;
    lines.push(`${quoted(seller)} to ${payTo}: ${spent} USDC in ${count}${open}.`);
  }
  return lines.join('\n');
}

function describeLimit(limit: LedgerLimit): string {
  const { windowSeconds, sliding, resetsAt, perPayment, recipients } = limit;
  const { maxPayments, paymentsLeft } = limit;
  const hours = windowSeconds / 3_600;
  const window =
    hours % 24 === 0 ? `${hours / 24} day${hours === 24 ? '' : 's'}` : `${hours} hours`;
  const parts = [
    `Budget ${limit.limit} USDC in ${sliding ? `any ${window}` : window}: spent ${limit.spent}, left ${limit.left}`,
    ...(resetsAt === null ? [] : [`${sliding ? 'more' : 'resets'} ${resetsAt}`]),
    ...(maxPayments === null ? [] : [`${paymentsLeft} of ${maxPayments} payments left`]),
    ...(perPayment === null ? [] : [`at most ${perPayment} in one payment`]),
    ...(recipients === null ? [] : [`only to ${recipients.join(', ')}`]),
  ];
  return `${parts.join('; ')}.`;
}
