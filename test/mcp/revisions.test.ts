import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const bundle = fileURLToPath(new URL('../../dist/mcp.js', import.meta.url));
const STATELESS = '2026-07-28';
const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** What revision 2026-07-28 wants in `_meta` of every request (specification: basic/lifecycle). */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'recorded', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Message {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly data?: { readonly supported?: string[] } };
}

describe('the revisions of MCP over stdio', () => {
  let catalog: Server;
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    const page = { resources: [], partialResults: false };
    catalog = createServer((_, response) => response.end(JSON.stringify(page)));
    await once(catalog.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(catalog.address() as AddressInfo).port}`;
    environment = { PATH: process.env['PATH'] ?? '', FACILITATOR_URL: url };
  });
  after(() => {
    catalog.closeAllConnections();
    catalog.close();
  });

  /** Sends messages in their form on the wire, and returns the answer to each. */
  async function exchange(requests: readonly object[]): Promise<readonly Message[]> {
    const child = spawn(process.execPath, [bundle], {
      env: environment,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const answers: Message[] = [];
    for (const [index, request] of requests.entries()) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: index + 1, ...request })}\n`);
      const { value } = (await lines.next()) as { value: string };
      answers.push(JSON.parse(value) as Message);
    }
    child.stdin.end();
    await once(child, 'exit');
    return answers;
  }

  it('2026-07-28: the official client finds the server by server/discover, without initialize, and calls a tool', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: STATELESS } } },
    );
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [bundle], env: environment }),
    );
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), STATELESS);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['x402_list_resources', 'x402_search_resources'],
      );
      const found = await client.callTool({
        name: 'x402_search_resources',
        arguments: { query: 'weather' },
      });
      const { resources } = found.structuredContent as { resources: object[] };
      assert.deepEqual(resources, []);
    } finally {
      await client.close();
    }
  });

  it('2026-07-28: a tool is called as the first message of all, and results say that they are complete', async () => {
    const [called, discovered, listed] = await exchange([
      {
        method: 'tools/call',
        params: {
          name: 'x402_search_resources',
          arguments: { query: 'weather' },
          _meta: ENVELOPE,
        },
      },
      { method: 'server/discover', params: { _meta: ENVELOPE } },
      { method: 'tools/list', params: { _meta: ENVELOPE } },
    ]);
    assert.equal(called?.result?.['resultType'], 'complete');
    assert.deepEqual(discovered?.result?.['supportedVersions'], [STATELESS]);
    assert.deepEqual(discovered?.result?.['capabilities'], { tools: { listChanged: false } });
    assert.ok(Number(listed?.result?.['ttlMs']) > 0, 'the list of tools may be kept');
  });

  it('2026-07-28: an unknown revision is refused with the known ones', async () => {
    const unknown = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
    const [refused] = await exchange([{ method: 'server/discover', params: { _meta: unknown } }]);
    assert.equal(refused?.error?.code, -32_022);
    assert.ok(refused.error.data?.supported?.includes(STATELESS));
  });

  for (const revision of OLDER) {
    it(`${revision}: is initialized and lists its tools`, async () => {
      const clientInfo = { name: 'recorded', version: '1' };
      const [opened, listed] = await exchange([
        {
          method: 'initialize',
          params: { protocolVersion: revision, capabilities: {}, clientInfo },
        },
        { method: 'tools/list', params: {} },
      ]);
      assert.equal(opened?.result?.['protocolVersion'], revision);
      assert.deepEqual(Object.keys(listed?.result ?? {}), ['tools']);
    });
  }
});
