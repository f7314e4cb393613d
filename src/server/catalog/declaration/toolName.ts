import { isLookAlike } from '../../../protocol/index.ts';

/** Names of tools in MCP (specification of 2025-11-25: 1 to 128 of these characters). */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;

/** Reads a declared tool's name (spec: Catalog reasons/invalid_tool_name). */
export function toolNameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !TOOL_NAME.test(value)) return undefined;
  // A name in plain letters is only a word: many tools could have that name.
  return isLookAlike(value) && value.toLowerCase() !== 'usdc' ? undefined : value;
}
