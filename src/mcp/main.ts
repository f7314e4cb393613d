import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mcpEndpoint } from './mcpEndpoint.ts';
import { packageVersion } from './packageVersion.ts';
import type { Exchange, SoldTool } from './pay/purse.ts';
import { runMcp } from './runMcp.ts';

export { mcpEndpoint, runMcp };

/** Loaded when the first tool is bought, because most agents never buy one. */
export async function openTool(tool: SoldTool): Promise<Exchange> {
  return (await import('./pay/soldTool.ts')).reachTool(packageVersion(), tool);
}

/** Editors and agents start this file; the command line loads it for `runMcp`, the service for `mcpEndpoint`. */
const startedByItself =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);

if (startedByItself) {
  // Work that still runs after the client disconnects must not keep the process alive.
  void runMcp(packageVersion()).finally(() => setTimeout(() => process.exit(), 500).unref());
}
