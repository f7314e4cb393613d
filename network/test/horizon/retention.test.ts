import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { Cast } from './cast.ts';

const KEPT = 20;

interface Page {
  readonly _links: { readonly next: { readonly href: string } };
  readonly _embedded: { readonly records: readonly { readonly paging_token: string }[] };
}

describe('Horizon knows the past as far back as ledgers are kept', () => {
  let ledger: RunningLedger;
  let cast: Cast;
  let url: string;
  before(async () => {
    ledger = await startLedger({ port: 0, seed: 'horizon retention', retainedLedgers: KEPT });
    url = ledger.urls?.horizon ?? '';
    cast = new Cast(ledger.passphrase, url);
    for (const account of [cast.alice, cast.bob]) await cast.fund(account);
    for (let at = 0; at < 2 * KEPT; at++) {
      await pay(at + 1);
      if (at % 5 === 0) ledger.closeLedger();
    }
  });
  after(() => ledger.close());

  const pay = (amount: number) =>
    cast.act(cast.alice, [
      Operation.payment({
        destination: cast.bob.publicKey(),
        asset: Asset.native(),
        amount: String(amount),
      }),
    ]);

  async function get(path: string): Promise<{ status: number; page: Page }> {
    const response = await fetch(path.startsWith('http') ? path : url + path);
    return { status: response.status, page: (await response.json()) as Page };
  }

  /** All tokens from the first page on, one record a page. */
  async function tokens(path: string): Promise<string[]> {
    const all: string[] = [];
    for (let next = path; ; ) {
      const { status, page } = await get(next);
      if (status === 410) return all;
      assert.equal(status, 200);
      const [record] = page._embedded.records;
      if (record === undefined) return all;
      all.push(record.paging_token);
      next = page._links.next.href;
    }
  }

  it('page by page, the same in both orders', async () => {
    const payments = `/accounts/${cast.bob.publicKey()}/payments?limit=1`;
    const ascending = await tokens(payments);
    const descending = await tokens(`${payments}&order=desc`);
    assert.ok(ascending.length > KEPT / 2 && ascending.length <= KEPT, String(ascending.length));
    assert.deepEqual(descending.reverse(), ascending);
  });

  it('and follows added and deleted ledgers', async () => {
    const payments = `/accounts/${cast.bob.publicKey()}/payments?limit=1`;
    for (let more = 0; more < KEPT; more++) {
      await pay(100 + more);
      if (more % 6 !== 0) continue;
      const ascending = await tokens(payments);
      const descending = await tokens(`${payments}&order=desc`);
      assert.deepEqual(descending.reverse(), ascending);
      const { page } = await get('/ledgers?limit=1');
      const [oldest] = page._embedded.records;
      assert.ok(BigInt(ascending[0] ?? 0) > BigInt(oldest?.paging_token ?? 0));
    }
  });

  it('answers 410 for earlier ledgers, but continues from there', async () => {
    assert.equal((await get('/ledgers/2')).status, 410);
    assert.equal((await get('/operations/8589938689')).status, 410);
    assert.equal((await get('/payments?order=desc&cursor=8589938689')).status, 410);
    const { status, page } = await get('/payments?order=asc&cursor=8589938689');
    assert.equal(status, 200);
    assert.ok(page._embedded.records.length > 0);
  });

  it('and changes of the state by control', async () => {
    const { id } = await ledger.control('svc_snapshot');
    const before = await cast.server.loadAccount(cast.bob.publicKey());
    await cast.act(cast.bob, [Operation.manageData({ name: 'seen', value: 'no more' })]);
    await cast.act(cast.bob, [
      Operation.setOptions({ signer: { ed25519PublicKey: cast.alice.publicKey(), weight: 1 } }),
    ]);
    const signed = () => cast.server.accounts().forSigner(cast.alice.publicKey()).call();
    assert.equal((await signed()).records.length, 2);
    await ledger.control('svc_revert', { id });
    const after = await cast.server.loadAccount(cast.bob.publicKey());
    assert.deepEqual(after.data_attr, {});
    assert.equal(after.balances[0]?.balance, before.balances[0]?.balance);
    assert.equal((await signed()).records.length, 1);
  });
});
