import type { McpServer } from '@modelcontextprotocol/server';
import { registerBudget } from './budgetTool.ts';
import { type Paying, registerCall } from './callTool.ts';
import { registerReceipts } from './receiptsTool.ts';

export type { Paying } from './callTool.ts';

export const PAYING_INSTRUCTIONS =
  'x402_call pays in USDC on the Stellar test network, once for each call. Set maxAmount to the price you ' +
  'know. If a call timed out, is still being settled, or its outcome is not known, call again with the same arguments: ' +
  'that pays nothing while the first payment can settle, and returns the answer once it has arrived. ';

/** The tools that pay. */
export function registerPayingTools(server: McpServer, paying: Paying): void {
  registerCall(server, paying);
  registerBudget(server, paying.purse);
  registerReceipts(server, paying.purse);
}
