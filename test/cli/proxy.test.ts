import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openTill } from '../../src/cli/check/till.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

describe('svc-x402 proxy, on a machine where nothing else runs', () => {
  const folder = temporaryFolder();
  const environment = { SVC_X402_DATA_DIR: folder.path };
  let calls = 0;
  const started: CliProcess[] = [];
  const start = (...args: string[]): CliProcess => {
    const program = new CliProcess(args, environment);
    started.push(program);
    return program;
  };
  const waiting: (() => void)[] = [];
  const api = createServer((request, response) => {
    calls += 1;
    if (request.url === '/openapi.json') response.writeHead(404).end();
    else if (request.url === '/slow') waiting.push(() => response.end('at last'));
    else response.end('a quote');
  });
  let supported: Awaited<ReturnType<typeof openTill>>;
  before(async () => {
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
    supported = await openTill();
  });
  after(async () => {
    for (const program of started) program.signal('SIGKILL');
    api.close();
    api.closeAllConnections();
    await supported.close();
    folder.remove();
  });

  it('one command sells an API to a new account, and a buyer pays it', async () => {
    const { port } = api.address() as AddressInfo;
    const upstream = `http://127.0.0.1:${port}`;
    const proxy = new CliProcess(
      ['proxy', upstream, '--price', '0.01', '--pay-to', 'new', '--port', '0', '--json'],
      environment,
    );
    const { url } = await proxy.event('selling');
    assert.equal((await fetch(`${url}/quote`)).status, 402);
    assert.equal(calls, 0);
    const { code, stdout, stderr } = await new CliProcess(['pay', `${url}/quote`], environment)
      .ended;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /a quote/);
    assert.equal(calls, 1);
    assert.equal((await proxy.stop('SIGINT')).code, 0);
  });

  it('sells the operations of an OpenAPI document, and lists them with words and schemas', async () => {
    const { port } = api.address() as AddressInfo;
    const document = join(folder.path, 'openapi.yaml');
    writeFileSync(
      document,
      `openapi: 3.1.0
info: { title: Quotes, version: '1' }
paths:
  /quotes/{id}:
    get:
      summary: A quote by its number
      tags: [quotes]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        200:
          description: ok
          content: { application/json: { schema: { type: object, properties: { text: { type: string } } } } }
`,
    );
    const proxy = start(
      ...['proxy', `http://127.0.0.1:${port}`, '--openapi', document, '--price', '0.02'],
      ...['--pay-to', 'new', '--port', '0', '--json'],
    );
    const { url, facilitator } = await proxy.event('selling');
    assert.equal((await fetch(`${url}/other`)).status, 404);
    assert.equal((await fetch(`${url}/quotes/7`)).status, 402);
    const described = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { get: Record<string, unknown> }>;
    };
    const operation = described.paths['/quotes/{id}']?.get;
    assert.equal(operation?.['summary'], 'A quote by its number');
    assert.match(JSON.stringify(operation?.['responses']), /"text":\{"type":"string"\}/);
    const { code, stderr } = await new CliProcess(['pay', `${url}/quotes/7`], environment).ended;
    assert.equal(code, 0, stderr);
    const listed = (await (await fetch(`${facilitator}/discovery/resources`)).json()) as {
      items: { resource: string; description?: string }[];
    };
    const item = listed.items.find(({ resource }) => resource.includes('/quotes/'));
    assert.equal(item?.resource, `${url}/quotes/:id`);
    assert.match(JSON.stringify(item), /A quote by its number/);
    assert.match(JSON.stringify(item), /"text":\{"type":"string"\}/);
    await proxy.stop('SIGINT');
  });

  it('takes a changed file without dropping a request, and stays with the old one while it is wrong', async () => {
    const { port } = api.address() as AddressInfo;
    const path = join(folder.path, 'x402.yaml');
    const config = (routes: string, more = '') =>
      writeFileSync(
        path,
        `upstream: http://127.0.0.1:${port}
payTo: GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57
facilitator: ${supported.url}
${more}routes:
${routes}`,
      );
    config('  GET /slow: free\n  GET /quote: 0.01\n');
    const proxy = start('proxy', '--config', path, '--port', '0', '--json');
    const { url } = await proxy.event('selling');
    const price = async (): Promise<unknown> => {
      const { accepts } = (await (await fetch(`${url}/quote`)).json()) as {
        accepts: { amount: string }[];
      };
      return accepts[0]?.amount;
    };
    assert.equal(await price(), '100000');
    const slow = fetch(`${url}/slow`);
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    config('  GET /quote: 0.03\n');
    await proxy.event('reloaded');
    assert.equal(await price(), '300000');
    assert.equal((await fetch(`${url}/slow`)).status, 404);
    for (const end of waiting.splice(0)) end();
    assert.equal(await (await slow).text(), 'at last');

    config('  GET /quote: cheap\n  quote: 0.01\n', 'trustedHops: many\n');
    const { problems } = await proxy.event('not_reloaded');
    assert.deepEqual(
      (problems as { line: number; column: number }[]).map(({ line, column }) => [line, column]),
      [
        [4, 14],
        [6, 15],
        [7, 3],
      ],
    );
    assert.equal(await price(), '300000');
    config('  GET /quote: 0.04\n');
    await proxy.event('reloaded', 1);
    assert.equal(await price(), '400000');
    await proxy.stop('SIGINT');
  });
});
