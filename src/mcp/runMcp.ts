import { Console } from 'node:console';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { catalogClient } from './catalogClient.ts';
import { discoveryServer } from './discoveryServer.ts';
import { findFacilitatorUrl } from './facilitatorUrl.ts';
import { Handovers } from './pay/handovers.ts';
import { OpenQuestions } from './pay/openQuestions.ts';
import type { Purse } from './pay/purse.ts';
import { StdioWire } from './stdioWire.ts';

/**
 * Serves MCP on stdin and stdout until the client disconnects and no payment is under way.
 * @param purse adds the tools that pay with it
 */
export async function runMcp(version: string, purse?: Purse): Promise<void> {
  // stdout carries only JSON-RPC: output of libraries goes to stderr.
  globalThis.console = new Console(process.stderr, process.stderr);
  const read = catalogClient(() => findFacilitatorUrl(process.env), fetch);
  const handovers = new Handovers();
  const paying = purse && { purse, handovers, questions: new OpenQuestions() };
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // The client disconnected without notice.
    process.stdout.once('error', () => resolve());
    // Clients end a server so. A payment that was sent is followed to its end first, because its answer is kept.
    if (purse !== undefined) process.on('SIGTERM', () => resolve());
  });
  const transport = new StdioWire(process.stdin, process.stdout, handovers);
  const serving = serveStdio(() => discoveryServer(version, read, paying), { transport });
  await closed;
  await serving.close();
  await purse?.idle();
}
