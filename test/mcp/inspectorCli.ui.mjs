// The discovery server as the MCP inspector's command line sees it: a client by others.
// usage: node --test test/mcp/inspectorCli.ui.mjs   (dist/mcp.js is there)

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { install, root } from '../../scripts/prepare.mjs';

const inspector = join(root, 'test', 'mcp', 'inspector');
const cli = join(inspector, 'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js');
const slow = { timeout: 300_000 };
const run = promisify(execFile);

const entry = {
  resource: 'https://api.example/weather',
  type: 'http',
  accepts: [],
  trust: { settlements: 3, uniquePayers: 2, ownerVerified: true },
  serviceName: 'Weather',
};

describe('the discovery server under the MCP inspector', { concurrency: false }, () => {
  const asked = [];
  let catalog;
  let base;

  /** A catalog with one entry, which gives no verdicts. */
  before(async () => {
    await install(inspector);
    catalog = createServer((request, response) => {
      const url = new URL(request.url, 'http://catalog');
      asked.push(url);
      const refused = url.searchParams.get('verified_only') === 'true';
      response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          refused
            ? { error: 'verified_only_unavailable', reason: 'no_verdict_source_configured' }
            : {
                x402Version: 2,
                resources: [entry],
                partialResults: false,
                pagination: { limit: 20, cursor: null },
              },
        ),
      );
    }).listen(0, '127.0.0.1');
    await once(catalog, 'listening');
    base = `http://127.0.0.1:${catalog.address().port}`;
  }, slow);

  after(() => {
    catalog?.closeAllConnections();
    catalog?.close();
  });

  const inspect = async (...args) => {
    const server = ['-e', `FACILITATOR_URL=${base}`, 'node', join(root, 'dist', 'mcp.js')];
    const { stdout } = await run(process.execPath, [cli, '--cli', ...server, ...args]);
    return JSON.parse(stdout);
  };

  it('tools/list: two read-only tools, with input and output schemas', slow, async () => {
    const { tools } = await inspect('--method', 'tools/list');
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['x402_list_resources', 'x402_search_resources'],
    );
    for (const { annotations, inputSchema, outputSchema } of tools) {
      assert.equal(annotations.readOnlyHint, true);
      assert.equal(annotations.openWorldHint, true);
      assert.equal(inputSchema.additionalProperties, false);
      assert.equal(outputSchema.type, 'object');
    }
  });

  it(
    'tools/call: the catalog is queried, and the result has structure and text',
    slow,
    async () => {
      const search = ['--method', 'tools/call', '--tool-name', 'x402_search_resources'];
      const result = await inspect(
        ...search,
        '--tool-arg',
        'query=weather',
        '--tool-arg',
        'limit=5',
      );
      assert.equal(result.structuredContent.resources[0].resource, entry.resource);
      assert.match(result.content[0].text, /untrusted data/);
      const [{ pathname, searchParams }] = asked.slice(-1);
      assert.equal(pathname, '/discovery/search');
      assert.deepEqual(Object.fromEntries(searchParams), { query: 'weather', limit: '5' });
    },
  );

  it('verified_only: a tool error that points to ownerVerified', slow, async () => {
    const search = ['--method', 'tools/call', '--tool-name', 'x402_search_resources'];
    const only = ['--tool-arg', 'query=weather', '--tool-arg', 'verified_only=true'];
    const result = await inspect(...search, ...only);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /ownerVerified/);
  });
});
