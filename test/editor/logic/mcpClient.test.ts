import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { readEndpoints } from '../../../src/extension/endpoints/endpoint.ts';
import {
  MCP_CLIENTS,
  type McpCommand,
} from '../../../src/extension/mcpClient/clientConfigurations.ts';
import { writeLauncher } from '../../../src/extension/mcpClient/launcher.ts';
import { startMcpClient } from '../../../src/extension/mcpClient/stdioClient.ts';
import { startLocalStack } from '../../support/localStack.ts';

const bundle = fileURLToPath(new URL('../../../dist/mcp.js', import.meta.url));

const start = (facilitatorUrl: string, onClosed = () => {}) =>
  startMcpClient({
    runtime: { command: process.execPath, environment: {} },
    bundle,
    version: '1',
    environment: { FACILITATOR_URL: facilitatorUrl },
    onLog: () => {},
    onClosed,
  });

describe('the editor speaks MCP to the discovery server', {
  skip: existsSync(bundle) ? false : 'dist/mcp.js is not built: run npm run build',
}, () => {
  it('and reads its endpoints from the result', async () => {
    const stack = await startLocalStack();
    const client = await start(stack.facilitator.url);
    const result = await client.callTool('x402_list_resources', { limit: 5 });
    assert.equal(result.isError, false, result.text);
    assert.deepEqual(readEndpoints(result.structuredContent), { endpoints: [], total: 0 });
    client.close();
    await stack.close();
  });

  it('a service that is down is a result with a code, not a crash', async () => {
    const client = await start('http://127.0.0.1:1');
    const result = await client.callTool('x402_list_resources', {});
    assert.equal(result.isError, true);
    assert.equal(result.errorCode, 'service_unreachable');
    client.close();
  });

  it('a call can be cancelled, and a server’s end fails its calls', async () => {
    let closed = 0;
    const client = await start('http://127.0.0.1:1', () => {
      closed += 1;
    });
    const controller = new AbortController();
    const call = client.callTool('x402_list_resources', {}, controller.signal);
    controller.abort();
    await assert.rejects(call, /cancelled/);
    client.close();
    while (closed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await assert.rejects(client.callTool('x402_list_resources', {}), /exited/);
  });
});

describe('[finding: D2] configurations for other programs', {
  skip: existsSync(bundle) ? false : 'dist/mcp.js is not built: run npm run build',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-x402 it's "));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The server in a configuration, as its client reads it. */
  function serverIn(name: string, text: string): object {
    if (name !== 'Claude Code') {
      const parsed = JSON.parse(text) as Record<string, Record<string, object>>;
      return (parsed['mcpServers'] ?? parsed['servers'])?.['svc-x402'] ?? parsed;
    }
    // claude mcp add-json NAME JSON, in a shell.
    const shown = spawnSync('sh', ['-c', `claude() { printf %s "$4"; }\n${text}`]);
    return JSON.parse(shown.stdout.toString()) as object;
  }

  for (const { name, write } of MCP_CLIENTS) {
    it(`${name}: starts the installed program from any other folder`, async () => {
      const launcher = await writeLauncher(join(folder, 'extension'), bundle);
      const environment = { FACILITATOR_URL: 'http://127.0.0.1:1' };
      const text = write({ command: process.execPath, args: [launcher], environment });
      const { command, args, env } = serverIn(name, text) as McpCommand & {
        readonly env: Record<string, string>;
      };
      assert.deepEqual(env, environment);
      const elsewhere = join(folder, name);
      mkdirSync(elsewhere);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StdioClientTransport({ command, args: [...args], env, cwd: elsewhere, stderr: 'pipe' }),
      );
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map((tool) => tool.name).sort(), [
          'x402_list_resources',
          'x402_search_resources',
        ]);
      } finally {
        await client.close();
      }
    });
  }

  it('are for the programs that the pages name', () => {
    const names = MCP_CLIENTS.map(({ name }) => name);
    for (const name of ['Claude Desktop', 'Cursor', 'VS Code', 'OpenAI Agents SDK']) {
      assert.ok(names.includes(name), name);
    }
  });
});
