import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { mcpEndpoint } from '../../src/mcp/mcpEndpoint.ts';
import { openTestCatalog } from '../support/catalog.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';

const STATELESS = '2026-07-28';
const TOOLS = ['x402_list_resources', 'x402_search_resources'];

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'recorded', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('POST /mcp: the discovery tools over Streamable HTTP', () => {
  let stack: LocalStack;
  let url: URL;
  before(async () => {
    stack = await startLocalStack({ allowedOrigins: ['https://dapp.example'] });
    url = new URL(`${stack.facilitator.url}/mcp`);
  });
  after(() => stack.close());

  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const message = (method: string, params: object = {}, id = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: ENVELOPE },
  });
  const naming = (method: string, name?: string) => ({
    'mcp-protocol-version': STATELESS,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  });

  async function listed(
    client: Pick<Client, 'listTools' | 'callTool' | 'close'> | OlderClient,
  ): Promise<CallToolResult> {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS,
    );
    const found = await client.callTool({ name: 'x402_list_resources', arguments: { limit: 5 } });
    await client.close();
    return found as CallToolResult;
  }

  it('the official client lists and calls the tools with revision 2026-07-28, and finds the catalog’s entries', async () => {
    const at = await openTestCatalog();
    try {
      await at.settle({ url: 'https://api.seller.dev/weather' });
      await at.settle({ url: 'https://mcp.seller.dev/mcp', tool: 'translate' });
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: { pin: STATELESS } } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(`${at.url}/mcp`)));
      assert.equal(client.getNegotiatedProtocolVersion(), STATELESS);
      const { structuredContent } = await listed(client);
      const { body } = await at.get<{ items: object[]; pagination: object }>(
        '/discovery/resources?limit=5',
      );
      assert.equal(body.items.length, 2);
      assert.deepEqual(structuredContent?.['items'], body.items);
      assert.deepEqual(structuredContent['pagination'], body.pagination);
    } finally {
      await at.close();
    }
  });

  it('and so do clients of older revisions, which get no session', async () => {
    for (const client of [
      new OlderClient({ name: 'older', version: '1' }),
      new Client({ name: 'legacy', version: '1' }),
    ]) {
      const transport =
        client instanceof OlderClient
          ? new OlderTransport(url)
          : new StreamableHTTPClientTransport(url);
      await client.connect(transport as Parameters<OlderClient['connect']>[0]);
      assert.equal(transport.sessionId, undefined);
      assert.notEqual((await listed(client)).isError, true);
    }
  });

  it('a program that accepts any type can list the tools; one that refuses both gets an error', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const any = await post(list, { accept: '*/*' });
    assert.equal(any.status, 200);
    assert.match(await any.text(), /x402_search_resources/);
    assert.equal((await post(list, { accept: 'text/html' })).status, 406);
  });

  it('paying tools do not exist, and a call of one is an error', async () => {
    const called = await post(
      message('tools/call', { name: 'x402_call', arguments: {} }),
      naming('tools/call', 'x402_call'),
    );
    const { error, result } = (await called.json()) as {
      error?: object;
      result?: { isError?: boolean };
    };
    assert.ok(error !== undefined || result?.isError === true);
  });

  it('a failure to read the catalog is a result that says what to do', async () => {
    const refused = await post(
      message('tools/call', { name: TOOLS[0], arguments: { verified_only: true } }),
      naming('tools/call', TOOLS[0]),
    );
    const { result } = (await refused.json()) as { result: CallToolResult };
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /ownerVerified/);
  });

  it('pages of foreign origins, and bodies that pages can send unasked, are refused', async () => {
    const list = message('tools/list');
    const foreign = await post(list, { origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    const form = await post(list, { 'content-type': 'text/plain' });
    assert.equal(form.status, 415);
    const dapp = await post(list, { ...naming('tools/list'), origin: 'https://dapp.example' });
    assert.equal(dapp.status, 200);
    assert.equal(dapp.headers.get('access-control-allow-origin'), 'https://dapp.example');
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:6274' },
    });
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /mcp-protocol-version/);
  });

  it('anything but one message of limited size and depth is refused', async () => {
    const refusal = async (body: unknown) => {
      const response = await post(body);
      const { error } = (await response.json()) as { error: { code?: number } | string };
      return [response.status, typeof error === 'string' ? error : error.code];
    };
    const list = message('tools/list');
    assert.deepEqual(await refusal('{"jsonrpc'), [400, -32_700]);
    assert.deepEqual(await refusal([list, list]), [400, -32_600]);
    assert.deepEqual(await refusal({ hello: 1 }), [400, -32_600]);
    assert.deepEqual(await refusal(`${'['.repeat(100)}${']'.repeat(100)}`), [400, -32_600]);
    assert.deepEqual(await refusal({ ...list, method: 'x'.repeat(33_000) }), [
      413,
      'body_too_large',
    ]);
  });

  it('no stream stays open: GET and DELETE are refused, and there are no subscriptions', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(url, { method });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'POST');
    }
    const listening = await post(
      message('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      naming('subscriptions/listen'),
    );
    const { error } = (await listening.json()) as { error: { code: number } };
    assert.equal(error.code, -32_603);
  });

  it('counts towards the request limit like every other route', async () => {
    const limited = await startLocalStack({
      rateLimitPerMinute: 2,
      rateLimitExemptsLoopback: false,
    });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const { status } = await fetch(`${limited.facilitator.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...naming('tools/list') },
          body: JSON.stringify(message('tools/list')),
        });
        statuses.push(status);
      }
      assert.deepEqual(statuses, [200, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  it('is opened again by the next request if it could not be opened', async () => {
    let tries = 0;
    const failing = await startLocalStack({
      openMcp: async (ask) => {
        tries += 1;
        if (tries === 1) throw new Error('A file is missing for a moment.');
        return mcpEndpoint('0', ask);
      },
    });
    try {
      const statuses: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const { status } = await fetch(`${failing.facilitator.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...naming('tools/list') },
          body: JSON.stringify(message('tools/list')),
        });
        statuses.push(status);
      }
      assert.deepEqual(statuses, [500, 200, 200]);
      assert.equal(tries, 2);
    } finally {
      await failing.close();
    }
  });
});
