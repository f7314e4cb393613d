/** What agents pay with over MCP. */
export { openPurse } from './openPurse.ts';
