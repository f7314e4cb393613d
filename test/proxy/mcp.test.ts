import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import {
  RawClient,
  type Rpc,
  signCall,
  startToolServer,
  type ToolServer,
  toolServer,
} from './support/mcpClient.ts';
import { openShop, type Shop } from './support/shop.ts';

const TOOLS = `
  tools:
    search: { price: 0.01, description: Searches the test }
    structured: 0.02
    big: 0.01
    fails: 0.01
    throws: 0.01
    dies: 0.01
    works: 0.01
    slow: 0.01
    once: { price: 0.01, settle: before }
    wide: 0.01
    calls: free
    environment: free
    waits: free
`;

describe('The proxy sells tools of an MCP server', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
  });
  after(() => stack?.close());

  const earned = async () => (await balancesOf(stack, payTo.address)).usdc;
  const open = (mcp: string) =>
    openShop(`payTo: ${payTo.address}\nmcp:\n${mcp}`, { facilitatorUrl: stack.facilitator.url });

  for (const kind of ['http', 'json', 'stdio'] as const) {
    describe(`over ${kind}`, () => {
      let server: ToolServer | undefined;
      let shop: Shop;
      let client: RawClient;
      before(async () => {
        if (kind !== 'stdio') server = await startToolServer(kind);
        const where =
          server === undefined
            ? `  command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(toolServer)}, stdio]`
            : `  http: ${server.url}`;
        process.env['PROXY_SECRET'] = 'of the test';
        shop = await open(`${where}${TOOLS}`);
        client = await new RawClient(`${shop.proxy.url}/mcp`).open();
      });
      after(async () => {
        delete process.env['PROXY_SECRET'];
        await shop?.close();
        server?.close();
      });

      const sign = async (name: string, args: object = {}) =>
        signCall(stack, payer, payTo, await client.call(name, args));
      const buy = async (name: string, args: object = {}, more: object = {}) => {
        const payment = await sign(name, args);
        return { payment, answer: await client.call(name, args, payment, more) };
      };
      const called = async () => {
        const { result } = await client.call('calls');
        const read = JSON.parse(result?.content?.[0]?.text ?? '{}');
        return read as { pid: number; calls: Record<string, Record<string, unknown>>[] };
      };
      const cancel = (requestId: string | number) =>
        client.raw(
          JSON.stringify({
            ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
            params: { requestId },
          }),
        );
      const textOf = ({ result }: Rpc) => result?.content?.[0]?.text;
      const receiptOf = ({ result }: Rpc) =>
        result?._meta?.['x402/payment-response'] as Record<string, unknown> | undefined;

      it('lists them with their prices, and leaves out what cannot be called', async () => {
        const { result } = await client.request('tools/list');
        const tools = new Map((result?.tools ?? []).map((tool) => [tool.name, tool]));
        assert.equal(tools.has('hidden'), false);
        assert.equal(tools.get('calls')?.description, 'The tool calls.');
        assert.match(
          tools.get('search')?.description ?? '',
          /^Searches the test\n\nCosts 0\.01 USDC/,
        );
        assert.deepEqual(tools.get('structured')?._meta?.['svc-x402/price'], {
          amount: '0.02',
          currency: 'USDC',
          network: 'stellar:testnet',
          protocols: ['x402', 'mpp'],
        });
        // The first SDK would compare the price with it.
        assert.equal(tools.get('structured')?.outputSchema, undefined);
      });

      it('asks for the price with a result, without the server', async () => {
        const before = (await called()).calls.length;
        const { status, result, id } = await client.call('search', { query: 'a' });
        assert.deepEqual([status, id, result?.isError], [200, 1, true]);
        const terms = result?.structuredContent as Record<string, unknown>;
        assert.deepEqual(JSON.parse(result?.content?.[0]?.text ?? ''), terms);
        const [accepted] = terms['accepts'] as Record<string, unknown>[];
        assert.equal(accepted?.['amount'], '100000');
        const { url } = terms['resource'] as { url: string };
        assert.equal(url, `${shop.proxy.url}/mcp`);
        const { bazaar } = terms['extensions'] as { bazaar: { info: { input: object } } };
        assert.deepEqual(bazaar.info.input, {
          type: 'mcp',
          toolName: 'search',
          description: 'Searches the test',
          transport: 'streamable-http',
          inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
        });
        assert.equal((await called()).calls.length, before);
      });

      it('calls the tool, takes the money, and returns the result with its settlement', async () => {
        const before = await earned();
        const { answer } = await buy('search', { query: 'x' });
        assert.equal(textOf(answer), 'found x');
        assert.equal(receiptOf(answer)?.['success'], true);
        assert.equal((await earned()) - before, 100_000n);
      });

      it('says to the server who paid, and shows it no payment', async () => {
        await buy(
          'search',
          { query: 'who' },
          { 'svc-x402/payment': { payer: 'GFORGED' }, mine: 1 },
        );
        const last = (await called()).calls.at(-1);
        const meta = last?.['_meta'] as Record<string, Record<string, unknown>>;
        assert.deepEqual(Object.keys(meta), ['mine', 'svc-x402/payment']);
        assert.equal(meta['svc-x402/payment']?.['payer'], payer.address);
        if (kind === 'stdio') return;
        const headers = last?.['headers'] as Record<string, string>;
        assert.equal(headers['x402-payer'], payer.address);
        assert.match(headers['x402-signature'] ?? '', /^v1=[0-9a-f]{64}$/);
      });

      it('gives the identical call its result again, under the id of its request', async () => {
        const { payment, answer } = await buy('search', { query: 'again', n: 1 });
        const [before, { calls }] = [await earned(), await called()];
        const again = await client.raw(
          JSON.stringify({
            ...{ jsonrpc: '2.0', id: 'other', method: 'tools/call' },
            params: {
              _meta: { 'x402/payment': payment, progressToken: 7 },
              arguments: { n: 1, query: 'again' },
              name: 'search',
            },
          }),
        );
        assert.equal(again.id, 'other');
        assert.deepEqual(again.result, answer.result);
        assert.deepEqual([await earned(), (await called()).calls.length], [before, calls.length]);
      });

      it('sells nothing else for a payment that was presented', async () => {
        const { payment } = await buy('search', { query: 'one' });
        const other = await client.call('search', { query: 'two' }, payment);
        assert.match(textOf(other) ?? '', /payment_used/);
        assert.equal(other.result?.isError, true);
        const tool = await client.call('big', { query: 'one' }, payment);
        assert.match(textOf(tool) ?? '', /no_matching_payment_requirements/);
      });

      for (const name of ['fails', 'throws']) {
        it(`takes nothing for the tool that ${name}`, async () => {
          const before = await earned();
          const { answer } = await buy(name);
          assert.ok(answer.error !== undefined || answer.result?.isError === true);
          assert.equal(receiptOf(answer), undefined);
          assert.equal(await earned(), before);
        });
      }

      it('keeps the members of a result beside the settlement', async () => {
        const { answer } = await buy('wide');
        const { _meta, ...rest } = answer.result ?? {};
        assert.deepEqual(rest, { content: [], structuredContent: { id: 'wide' } });
        assert.equal(_meta?.['seen'], 1);
        assert.equal(receiptOf(answer)?.['success'], true);
      });

      it('with settle: before, owes what the tool failed to do, and has it done later', async () => {
        const { payment, answer } = await buy('once');
        assert.equal(answer.result?.isError, true);
        assert.equal(receiptOf(answer)?.['success'], true);
        const before = await earned();
        const again = await client.call('once', {}, payment);
        assert.equal(textOf(again), 'at last');
        assert.deepEqual(receiptOf(again), receiptOf(answer));
        assert.equal(await earned(), before);
        const meta = (await called()).calls.at(-1)?.['_meta'] as Record<
          string,
          { transaction: string }
        >;
        assert.equal(meta['svc-x402/payment']?.transaction, receiptOf(answer)?.['transaction']);
      });

      it('delivers a long result whole, and again', async () => {
        const { payment, answer } = await buy('big');
        assert.equal(textOf(answer)?.length, 2_000_000);
        assert.equal(textOf(await client.call('big', {}, payment))?.length, 2_000_000);
      });

      it('passes progress on while the tool works', async () => {
        const { answer } = await buy('works', {}, { progressToken: 'mine' });
        assert.equal(textOf(answer), 'worked');
        if (kind === 'json') return;
        const [progress] = answer.messages;
        assert.deepEqual(progress?.['params'], { progressToken: 'mine', progress: 1 });
      });

      it('refuses a broken payment with its price', async () => {
        for (const payment of ['x', 7, {}, [], null, { x402Version: 2 }]) {
          const { result } = await client.call('search', {}, payment);
          assert.equal(result?.isError, true, JSON.stringify(payment));
          assert.match(textOf({ result } as Rpc) ?? '', /"accepts"/);
        }
      });

      it('keeps the answer to a sold call from any other request', async () => {
        const payment = await sign('slow');
        const sold = client.call('slow', {}, payment);
        await pause(150);
        assert.deepEqual((await client.request('ping', {}, 1)).result, {});
        assert.equal((await cancel(1)).status, 202);
        assert.equal(textOf(await sold), 'slow');
      });

      it('ends a request that its client cancels, and no other', async () => {
        const other = client.call('slow', {}, await sign('slow'));
        const waiting = client.request('tools/call', { name: 'waits' }, 'mine');
        await pause(150);
        await cancel('mine');
        const { status, messages } = await waiting;
        assert.deepEqual([status, messages], [200, []]);
        assert.equal(textOf(await other), 'slow');
        assert.deepEqual((await client.request('ping', {}, 'mine')).result, {});

        const call = {
          jsonrpc: '2.0',
          id: 'mine',
          method: 'tools/call',
          params: { name: 'waits' },
        };
        const withoutStreams = client.raw(JSON.stringify(call), { accept: 'application/json' });
        await pause(150);
        await cancel('mine');
        assert.equal((await withoutStreams).error?.code, -32_800);
      });

      it('ends a call that a stock client cancels, which has nothing to report', async () => {
        const stock = new Client({ name: 'stock', version: '1' });
        const reported: string[] = [];
        stock.onerror = ({ message }) => reported.push(message);
        const transport = new StreamableHTTPClientTransport(new URL(`${shop.proxy.url}/mcp`));
        await stock.connect(transport as Parameters<Client['connect']>[0]);
        const enough = new AbortController();
        const waits = { name: 'waits', arguments: {} };
        const cancelled = stock.callTool(waits, undefined, { signal: enough.signal });
        setTimeout(() => enough.abort('enough'), 150);
        await assert.rejects(cancelled, /enough/);
        await pause(150);
        const { content } = await stock.callTool({ name: 'calls', arguments: {} });
        assert.equal(Array.isArray(content), true);
        assert.deepEqual(reported, []);
        await stock.close();
      });

      it('passes other methods, and closes other tools', async () => {
        assert.deepEqual((await client.request('ping')).result, {});
        assert.equal((await client.call('hidden')).error?.code, -32_602);
        assert.equal((await client.request('nothing/here')).error?.code, -32_601);
      });

      it('gives nothing away to odd messages', async () => {
        const before = (await called()).calls.length;
        const name = '"name":"search"';
        const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${name}}}`;
        for (const body of [
          `[${call}]`,
          `[[${call}]]`,
          call.replace('"id":1,', ''),
          call.replace('tools/call', 'Tools/Call'),
          call.replace('tools/call', 'tools/call '),
          call.replace(name, '"name":"calls","name":"search"'),
          call.replace(name, '"name":"calls","Name":"search"'),
          call.replace(name, '"name":"Search"'),
          call.replace('{"name":"search"}', '["search"]'),
          `${call}\n${call}`,
          `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":\n${call}\n}}`,
          `{"jsonrpc":"2.0","id":1,"result":\n${call}\n}`,
          `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"\u2028${call.replaceAll('"', '\\"')}\u2028"}}`,
        ]) {
          const { result } = await client.raw(body);
          assert.equal(result?.content, undefined, body);
        }
        for (const headers of [
          { 'content-type': 'text/plain' },
          { 'content-encoding': 'gzip' },
          { 'content-type': 'application/json+x' },
        ]) {
          assert.equal((await client.raw(call, headers)).status, 415);
        }
        await client.raw(call, { 'mcp-method': 'ping', 'mcp-name': 'calls' });
        assert.equal((await called()).calls.length, before);
      });

      it('refuses pages of other sites', async () => {
        const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
        assert.equal((await client.raw(body, { origin: 'https://evil.example' })).status, 403);
        assert.equal((await client.raw(body, { origin: 'http://localhost:6274' })).status, 200);
        assert.equal((await client.raw(body, { origin: 'null' })).status, 403);
      });

      it('answers 404 for a session that ended', async () => {
        const other = await new RawClient(`${shop.proxy.url}/mcp`).open();
        assert.equal((await other.raw('', {}, 'DELETE')).status, 200);
        assert.equal((await other.request('ping')).status, 404);
        const gone = await other.call('search', {}, await sign('search'));
        assert.equal(gone.status, 404);
      });

      it('serves nothing at other paths', async () => {
        const elsewhere = new RawClient(`${shop.proxy.url}/other`);
        assert.equal((await elsewhere.request('ping')).status, 404);
      });

      if (kind === 'stdio') {
        it('gives each session a process, which does not get the secrets of the proxy', async () => {
          const other = await new RawClient(`${shop.proxy.url}/mcp`).open();
          const { result } = await other.call('calls');
          const { pid } = JSON.parse(result?.content?.[0]?.text ?? '');
          assert.notEqual(pid, (await called()).pid);
          const environment = await other.call('environment');
          const names = JSON.parse(environment.result?.content?.[0]?.text ?? '') as string[];
          assert.ok(names.includes('PATH'));
          assert.equal(names.includes('PROXY_SECRET'), false);
          await other.raw('', {}, 'DELETE');
          await pause(300);
          assert.throws(() => process.kill(pid, 0));
        });

        it('takes nothing when the process dies, and starts another one after a while', async () => {
          const before = await earned();
          const payment = await sign('dies');
          const fresh = await new RawClient(`${shop.proxy.url}/mcp`).open();
          const { error } = await fresh.call('dies', {}, payment);
          assert.equal(error?.code, -32_603);
          assert.equal(await earned(), before);
          assert.equal((await fresh.request('ping')).status, 404);
          fresh.session = undefined;
          const refused = await fresh.request('initialize', {});
          assert.equal(refused.status, 503);
          assert.equal(refused.headers['retry-after'], '1');
          await pause(1_000);
          await fresh.open();
          assert.deepEqual((await fresh.request('ping')).result, {});
          // Another session is not affected.
          assert.deepEqual((await client.request('ping')).result, {});
        });
      } else {
        it('takes nothing when the server dies', async () => {
          const before = await earned();
          const { answer } = await buy('dies');
          assert.ok(answer.status === 502 || answer.error !== undefined);
          assert.equal(await earned(), before);
        });
      }
    });
  }
});
