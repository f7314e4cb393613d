import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERROR_META } from '../tools/toolResult.ts';

/** Runs a tool that reads the purse and turns a failure with a code into a result that explains what to do. */
export async function purseResult(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    return {
      isError: true,
      content: [{ type: 'text', text: error.message }],
      _meta: { [ERROR_META]: { code: error.code } },
    };
  }
}
