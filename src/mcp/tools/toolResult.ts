import type { CallToolResult } from '@modelcontextprotocol/server';
import { CatalogError } from '../catalogError.ts';

/** Member of `_meta` that carries the code of a failure. */
export const ERROR_META = 'svc-x402/error';

/** Runs a tool and turns a failure to read the catalog into a result that explains what to do. */
export async function toolResult(run: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return {
      isError: true,
      content: [{ type: 'text', text: error.message }],
      _meta: { [ERROR_META]: { code: error.code } },
    };
  }
}
