import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { DiscoveryList, DiscoverySearch } from '../../src/protocol/wire/index.ts';
import { type OperatorAction, readTarget } from '../../src/server/catalog/operator/index.ts';
import { engines } from '../store/engines.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { hashOf } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';

const SELLER = testKey('seller').address;
const SQUATTER = testKey('squatter').address;
const URL_A = 'https://api.seller.dev/weather';
const URL_B = 'https://api.seller.dev/news';
const ELSEWHERE = 'https://api.other.dev/weather';

describe('The target of an operator’s action', () => {
  it('an address is a recipient, a URL without a path an origin, any other URL a resource', () => {
    assert.deepEqual(readTarget(` ${SELLER.toLowerCase()} `), { kind: 'recipient', value: SELLER });
    for (const origin of ['https://API.seller.dev', 'https://api.seller.dev:443/']) {
      assert.deepEqual(readTarget(origin), { kind: 'origin', value: 'https://api.seller.dev' });
    }
    assert.deepEqual(readTarget(`${URL_A}/?q=1`), { kind: 'resource', value: URL_A });
    assert.deepEqual(readTarget('https://mcp.other.dev/mcp#translate'), {
      kind: 'resource',
      value: 'https://mcp.other.dev/mcp#translate',
    });
  });

  it('anything else is refused', () => {
    for (const text of ['', 'weather', 'ftp://api.seller.dev/', 'https://', 'MA7QYNF7SOWQ']) {
      assert.equal(readTarget(text), undefined, text);
    }
  });
});

for (const engine of engines().filter(({ name }) => name !== 'SQLite in a file')) {
  describe(`The operator changes the catalog: ${engine.name}`, {
    skip: engine.missing ?? false,
  }, () => {
    let at: TestCatalog;
    before(() => engine.begin());
    after(() => engine.end());
    beforeEach(async () => {
      at = await openTestCatalog({ database: (await engine.open()).database });
    });
    afterEach(() => at.close());

    async function operate(action: OperatorAction, text: string, reason = '') {
      const target = readTarget(text);
      assert.ok(target);
      return at.catalog.operate({ action, target, reason });
    }
    async function listed(): Promise<string[]> {
      await at.catalog.idle();
      const { body } = await at.get<DiscoveryList>('/discovery/resources?limit=100');
      const urls = body.items.map(({ resource }) => resource).sort();
      const found = await at.get<DiscoverySearch>('/discovery/search?query=weather&limit=100');
      for (const { resource } of found.body.resources) assert.ok(urls.includes(resource), resource);
      return urls;
    }

    it('delist removes an entry from list and search; the next payment lists it again', async () => {
      await at.settle({ url: URL_A });
      await at.settle({ url: URL_B });
      await listed();
      assert.deepEqual(await operate('delist', URL_A), { gone: [URL_A], changed: false });
      assert.deepEqual(await listed(), [URL_B]);
      assert.equal(await at.settle({ url: URL_A }), 'cataloged');
      assert.deepEqual(await listed(), [URL_B, URL_A]);
    });

    it('a delisted entry stays its owner’s, with its counts', async () => {
      await at.settle({ url: URL_A, payer: 'a' });
      await operate('delist', URL_A);
      assert.equal(
        await at.settle({ url: URL_A, payTo: SQUATTER }),
        'ownership_tombstone_mismatch',
      );
      await at.settle({ url: URL_A, payer: 'b' });
      const { entries } = await at.catalog.list({}, { limit: 1, offset: 0, order: 'oldest' });
      assert.equal(entries[0]?.trust.uniquePayers, 2);
    });

    it('forbid keeps a resource out, whatever is paid, until it is allowed', async () => {
      await at.settle({ url: URL_A });
      await at.settle({ url: URL_B });
      await operate('forbid', URL_A, 'names a stranger');
      for (const payTo of [SELLER, SQUATTER]) {
        assert.equal(await at.settle({ url: `${URL_A}/`, payTo }), 'binding_refused');
      }
      assert.deepEqual(await listed(), [URL_B]);
      assert.equal((await operate('allow', URL_A)).changed, true);
      assert.deepEqual(await listed(), [URL_B]);
      assert.equal(await at.settle({ url: URL_A }), 'cataloged');
      assert.deepEqual(await listed(), [URL_B, URL_A]);
    });

    it('forbid keeps a complete origin out, and no other', async () => {
      await at.settle({ url: URL_A });
      await at.settle({ url: ELSEWHERE, payTo: SQUATTER });
      assert.deepEqual((await operate('forbid', 'https://api.seller.dev')).gone, [URL_A]);
      assert.equal(await at.settle({ url: URL_B }), 'binding_refused');
      assert.equal(await at.settle({ url: 'https://api.seller.dev:8443/news' }), 'cataloged');
      assert.deepEqual(await listed(), [ELSEWHERE, 'https://api.seller.dev:8443/news']);
    });

    it('forbidding a recipient frees the keys that it had taken for their owners', async () => {
      await at.settle({ url: URL_A, payTo: SQUATTER });
      assert.equal(await at.settle({ url: URL_A }), 'binding_refused');
      await operate('forbid', SQUATTER);
      assert.equal(await at.settle({ url: URL_B, payTo: SQUATTER }), 'binding_refused');
      assert.equal(await at.settle({ url: URL_A }), 'cataloged');
      assert.deepEqual(await listed(), [URL_A]);
    });

    it('a tool is forbidden by its server’s URL, by its own name, or as mcp://tool/<name> of everybody', async () => {
      const server = 'https://mcp.other.dev/mcp';
      await operate('forbid', `${server}#translate`);
      assert.equal(await at.settle({ url: server, tool: 'translate' }), 'binding_refused');
      assert.equal(await at.settle({ url: server, tool: 'weather' }), 'cataloged');
      await operate('forbid', server);
      assert.equal(await at.settle({ url: server, tool: 'weather' }), 'binding_refused');
      const everybodys = { url: 'mcp://tool/weather', tool: 'weather' };
      assert.equal(await at.settle(everybodys), 'cataloged');
      await operate('forbid', 'mcp://tool/weather');
      for (const payTo of [SELLER, SQUATTER]) {
        assert.equal(await at.settle({ ...everybodys, payTo }), 'binding_refused');
      }
      assert.deepEqual(await listed(), []);
    });

    it('a settlement that was refused stays refused when it is reported again', async () => {
      await operate('forbid', URL_A);
      const hash = hashOf(`refused ${engine.name}`);
      assert.equal(await at.settle({ url: URL_A, hash }), 'binding_refused');
      await operate('allow', URL_A);
      assert.equal(await at.settle({ url: URL_A, hash }), 'binding_refused');
      assert.equal(await at.settle({ url: URL_A }), 'cataloged');
    });

    it('validate reports that the operator forbids it', async () => {
      await operate('forbid', 'https://api.seller.dev');
      const info = { input: { type: 'http', method: 'GET', queryParams: {} } };
      const schema = { type: 'object', properties: { input: { type: 'object' } } };
      const { body } = await at.post<{ rules: { rule: string; mend?: string }[] }>(
        '/discovery/validate',
        { resource: { url: URL_A }, extensions: { bazaar: { info, schema } }, payTo: SELLER },
      );
      const binding = body.rules.find(({ rule }) => rule === 'binding');
      assert.match(binding?.mend ?? '', /operator/);
    });

    it('everything is in the journal, latest first, even after a restart', async () => {
      await at.settle({ url: URL_A });
      await operate('forbid', URL_A, 'spam');
      await operate('allow', URL_A);
      at = await at.restart();
      const journal = await at.catalog.journal(10);
      assert.deepEqual(
        journal.map(({ action, value, reason, removed }) => [action, value, reason, removed]),
        [
          ['allow', URL_A, '', 0],
          ['forbid', URL_A, 'spam', 1],
        ],
      );
      assert.deepEqual(await at.catalog.rules(), []);
    });
  });
}
