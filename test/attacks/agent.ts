import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { catalogClient } from '../../src/mcp/catalogClient.ts';
import { discoveryServer } from '../../src/mcp/discoveryServer.ts';
import type { Target } from './target.ts';

/** What an agent reads through the MCP server when the catalog is at `url`. */
export async function agentReads(
  target: Target,
  url: string,
): Promise<{ text: string; refused: boolean }> {
  const server = discoveryServer(
    '0',
    catalogClient(async () => url, fetch),
  );
  const agent = new Client({ name: 'agent', version: '0' });
  const [agentSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await agent.connect(agentSide);
  try {
    const args = { limit: 100 };
    const result = await agent.callTool({ name: 'x402_list_resources', arguments: args });
    target.see(JSON.stringify(result.content));
    const parts = result.content as { text?: string }[];
    const text = parts.map((part) => part.text ?? '').join('\n');
    return { text, refused: result.isError === true };
  } finally {
    await agent.close();
    await server.close();
  }
}
