/** The purse from which agents pay over MCP. */
export { openPurse } from './openPurse.ts';
