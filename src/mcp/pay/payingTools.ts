import type { McpServer } from '@modelcontextprotocol/server';
import { registerBudget } from './budgetTool.ts';
import { registerCall } from './callTool.ts';
import type { Handovers } from './handovers.ts';
import type { OpenQuestions } from './openQuestions.ts';
import type { Purse } from './purse.ts';
import { registerReceipts } from './receiptsTool.ts';

export const PAYING_INSTRUCTIONS =
  'x402_call pays in USDC on the Stellar test network, once for each call. Set maxAmount to the price you ' +
  'know. If a call timed out, is still being settled, or its outcome is not known, call again with the same arguments: ' +
  'that pays nothing while the first payment can settle, and returns the answer once it has arrived. ';

/** Dependencies that the paying tools share. */
export interface Paying {
  readonly purse: Purse;
  readonly handovers: Handovers;
  readonly questions: OpenQuestions;
}

/** The tools that pay. */
export function registerPayingTools(server: McpServer, paying: Paying): void {
  registerCall(server, paying);
  registerBudget(server, paying.purse);
  registerReceipts(server, paying.purse);
}
