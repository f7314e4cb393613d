import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

describe('svc-x402 proxy, on a machine where nothing else runs', () => {
  const folder = temporaryFolder();
  const environment = { SVC_X402_DATA_DIR: folder.path };
  let calls = 0;
  const api = createServer((_request, response) => {
    calls += 1;
    response.end('a quote');
  });
  before(async () => {
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
  });
  after(() => {
    api.close();
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
});
