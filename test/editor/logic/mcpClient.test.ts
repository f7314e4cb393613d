import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readEndpoints } from '../../../src/extension/endpoints/endpoint.ts';
import { MCP_CLIENTS } from '../../../src/extension/mcpClient/clientConfigurations.ts';
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

describe('configurations for other programs', () => {
  it('have the command and its environment', () => {
    const server = { command: 'node', args: ["/it's/mcp.js"], environment: { A: 'b' } };
    for (const { name, write } of MCP_CLIENTS) {
      const text = write(server);
      assert.ok(text.includes('mcp.js'), name);
      if (name === 'Claude Code') continue;
      const parsed = JSON.parse(text) as Record<string, Record<string, object>>;
      const [servers] = Object.values(parsed);
      const entry = servers?.['svc-x402'] as { command?: string; env?: object } | undefined;
      assert.equal(entry?.command, 'node');
      assert.deepEqual(entry?.env, { A: 'b' });
    }
  });
});
