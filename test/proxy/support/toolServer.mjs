// An MCP server on the published SDK of revision 2025-11-25, as somebody would write it who knows nothing of payments.
// `stdio` speaks over stdin and stdout, `http` over Streamable HTTP with sessions, `json` without streams.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , kind = 'stdio', port = '0'] = process.argv;
const calls = [];
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const schema = { type: 'object', properties: { query: { type: 'string' } } };

const TOOLS = {
  search: ({ query = '' }) => text(`found ${query}`),
  structured: () => ({ ...text('{"n":1}'), structuredContent: { n: 1 } }),
  big: () => text('x'.repeat(2_000_000)),
  fails: () => ({ ...text('no'), isError: true }),
  throws: () => {
    throw new Error('broken');
  },
  dies: () => process.exit(3),
  wide: () => ({ content: [], _meta: { seen: 1 }, structuredContent: { id: 'wide' } }),
  async works(_, { sendNotification, _meta }) {
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined) {
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
    }
    await pause(50);
    return text('worked');
  },
  async slow() {
    await pause(500);
    return text('slow');
  },
  async waits(_, { signal }) {
    await pause(60_000, undefined, { signal });
    return text('waited');
  },
  calls: () => text(JSON.stringify({ pid: process.pid, calls })),
  environment: () => text(JSON.stringify(Object.keys(process.env))),
  once: () =>
    calls.filter(({ name }) => name === 'once').length === 1
      ? { ...text('not yet'), isError: true }
      : text('at last'),
  hidden: () => text('hidden'),
};

function server() {
  const made = new Server(
    { name: 'tools', version: '1' },
    { capabilities: { tools: {}, logging: {} } },
  );
  made.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: schema,
      ...(name === 'structured' && {
        outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      }),
    })),
  }));
  made.setRequestHandler(CallToolRequestSchema, async ({ params }, context) => {
    const { name, arguments: given = {}, _meta } = params;
    if (name !== 'calls') calls.push({ name, given, _meta, headers: context.requestInfo?.headers });
    const tool = TOOLS[name];
    if (tool === undefined) return { ...text(`Unknown tool ${name}`), isError: true };
    return tool(given, context);
  });
  return made;
}

if (kind === 'stdio') {
  await server().connect(new StdioServerTransport());
} else {
  const sessions = new Map();
  const listener = createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known) return known.handleRequest(request, response);
    if (request.headers['mcp-session-id'] !== undefined) return response.writeHead(404).end();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: kind === 'json',
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    await server().connect(transport);
    return transport.handleRequest(request, response);
  });
  listener.listen(Number(port), '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${listener.address().port}/mcp`),
  );
}
