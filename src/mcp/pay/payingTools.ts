import type { McpServer } from '@modelcontextprotocol/server';
import { registerBudget } from './budgetTool.ts';
import { registerCall } from './callTool.ts';
import type { OpenQuestions } from './openQuestions.ts';
import type { Purse } from './purse.ts';
import { registerReceipts } from './receiptsTool.ts';

export const PAYING_INSTRUCTIONS =
  'x402_call pays in USDC on the Stellar test network, once for each call. Set maxAmount to the price you ' +
  'know. If an outcome is unknown, do not call again: check x402_receipts. ';

/** Dependencies that the paying tools share. */
export interface Paying {
  readonly purse: Purse;
  readonly questions: OpenQuestions;
}

/** The tools that pay. */
export function registerPayingTools(server: McpServer, { purse, questions }: Paying): void {
  registerCall(server, purse, questions);
  registerBudget(server, purse);
  registerReceipts(server, purse);
}
