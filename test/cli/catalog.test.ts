import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseServiceFile } from '../../src/machine/index.ts';
import { discoveryListSchema } from '../../src/protocol/wire/index.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const ANY_PORT = ['--ledger-port', '0', '--facilitator-port', '0'];

describe('svc-x402 catalog', () => {
  const folder = temporaryFolder();
  let dev: CliProcess;
  let url = '';
  let token = '';

  const run = (...args: string[]) =>
    new CliProcess(['catalog', ...args, '--data-dir', folder.path]).ended;
  async function listed(): Promise<string[]> {
    const answer = await fetch(`${url}/discovery/resources?limit=100`);
    return discoveryListSchema.parse(await answer.json()).items.map(({ resource }) => resource);
  }
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${url}/operator/catalog`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  before(async () => {
    dev = new CliProcess(['dev', '--json', '--data-dir', folder.path, ...ANY_PORT]);
    await dev.event('serving');
    const service = parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'));
    url = service?.facilitatorUrl ?? '';
    token = service?.operatorToken ?? '';
  });
  after(async () => {
    await dev.stop();
    folder.remove();
  });

  it('forbid removes the demo’s endpoint from the list, and reports it', async () => {
    const [resource = ''] = await listed();
    assert.notEqual(resource, '');
    const { code, stdout, stderr } = await run('forbid', resource, '--reason', 'a demo');
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes('1 entry was removed from the list'), stdout);
    assert.deepEqual(await listed(), []);
    const rules = await run('rules');
    assert.match(rules.stdout, /resource +http:.*\/weather\/: .*\(a demo\)/);
    const allowed = await run('allow', resource, '--json');
    assert.equal(JSON.parse(allowed.stdout).changed, true);
    const journal = JSON.parse((await run('journal', '--json')).stdout) as { action: string }[];
    assert.deepEqual(
      journal.map(({ action }) => action),
      ['allow', 'forbid'],
    );
  });

  it('an invalid target, and a rule that does not exist, are refused with a message', async () => {
    const wrong = await run('forbid', 'weather');
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.stderr, /neither a URL nor an address/);
    const missing = await run('allow', 'https://nobody.example');
    assert.notEqual(missing.code, 0);
    assert.match(missing.stderr, /No rule forbids the origin https:\/\/nobody\.example/);
  });

  it('nobody else can change the catalog: not without the token, and no web page with it', async () => {
    const body = JSON.stringify({ action: 'forbid', target: 'https://api.seller.dev' });
    const bearer = { authorization: `Bearer ${token}` };
    for (const headers of [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${token}x` },
      { ...bearer, origin: 'http://localhost:5173' },
      { ...bearer, 'sec-fetch-site': 'same-origin' },
    ]) {
      assert.equal((await post(headers, body)).status, 403, JSON.stringify(Object.keys(headers)));
    }
    assert.equal((await fetch(`${url}/operator/catalog`)).status, 403);
    assert.equal((await run('rules')).stdout.trim(), 'Nothing is forbidden.');
  });

  it('an empty body gets 400 with a message', async () => {
    const bearer = { authorization: `Bearer ${token}` };
    for (const body of ['', '{', '[]', '{"action":"drop","target":"https://a.dev"}']) {
      const answer = await post(bearer, body);
      assert.equal(answer.status, 400, body);
      assert.match(((await answer.json()) as { message: string }).message, /Send action/);
    }
  });

  it('without a service it says how to start one', async () => {
    const empty = temporaryFolder();
    const { code, stderr } = await new CliProcess(['catalog', 'rules', '--data-dir', empty.path])
      .ended;
    empty.remove();
    assert.equal(code, 2);
    assert.match(stderr, /No facilitator is running with/);
  });
});
