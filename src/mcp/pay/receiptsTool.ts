import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Purse } from './purse.ts';
import { purseResult } from './purseResult.ts';
import { describeReceipt, receiptSchema } from './receiptSchema.ts';

const inputSchema = z.strictObject({
  limit: z.int().min(1).max(100).optional().describe('Maximum number of receipts (default 20)'),
  offset: z.int().min(0).optional().describe('Receipts to skip (default 0)'),
});

const outputSchema = z.object({
  receipts: z.array(receiptSchema),
  total: z.number(),
});

/** `x402_receipts`: the payments that were sent, and their outcomes on the ledger. */
export function registerReceipts(server: McpServer, purse: Purse): void {
  server.registerTool(
    'x402_receipts',
    {
      title: 'Show receipts',
      description:
        'Lists the payments of this key, newest first. Those whose outcome was unknown are looked up on the ledger.',
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true, idempotentHint: true },
    },
    ({ limit = 20, offset = 0 }) =>
      purseResult(async () => {
        const { receipts, total } = await purse.receipts({ limit, offset });
        const count =
          receipts.length === 0
            ? `No receipts (${total} in all).`
            : `Receipts ${offset + 1} to ${offset + receipts.length} of ${total}.`;
        return {
          content: [{ type: 'text', text: [count, ...receipts.map(describeReceipt)].join('\n') }],
          structuredContent: { receipts: receipts.map((receipt) => ({ ...receipt })), total },
        };
      }),
  );
}
