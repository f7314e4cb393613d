import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { Cast } from './cast.ts';
import { type HorizonServer, horizonServer, SDKS, type Sdk } from './sdks.ts';

const network: Promise<RunningLedger> = startLedger({ port: 0, seed: 'horizon streams' });
after(async () => (await network).close());

interface Streamable<T> {
  stream(options: { onmessage(record: T): void; onerror(error: unknown): void }): () => void;
}

interface Pageable {
  order(direction: 'asc' | 'desc'): this;
  limit(records: number): this;
  cursor(cursor: string): this;
  call(): Promise<{ records: { paging_token: string }[] }>;
}

/** What a stream brings until a condition holds. */
async function until<T>(builder: Streamable<T>, isRight: (record: T) => boolean): Promise<T> {
  let close = (): void => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      close = builder.stream({
        onmessage: (record) => {
          if (isRight(record)) resolve(record);
        },
        onerror: (error) => reject(new Error('the stream broke', { cause: error })),
      });
    });
  } finally {
    close();
  }
}

for (const { version, load } of SDKS) {
  describe(`Streams of Horizon are followed by the Stellar SDK ${version}`, {
    timeout: 30_000,
  }, () => {
    let sdk: Sdk;
    let server: HorizonServer;
    let cast: Cast;
    let gold: Asset;
    before(async () => {
      sdk = await load();
      const ledger = await network;
      const url = ledger.urls?.horizon ?? '';
      server = horizonServer(sdk, url);
      cast = new Cast(ledger.passphrase, url);
      for (const account of [cast.alice, cast.bob]) await cast.fund(account);
      gold = new Asset('GOLD', cast.alice.publicKey());
      await cast.act(cast.bob, [Operation.changeTrust({ asset: gold })]);
    });

    /** Alice pays bob some gold. */
    const pay = (amount: string) =>
      cast.act(cast.alice, [
        Operation.payment({ destination: cast.bob.publicKey(), asset: gold, amount }),
      ]);

    /** What a stream brings of something that happens after the stream was opened. */
    async function next<T>(
      builder: Streamable<T>,
      happen: () => Promise<unknown>,
      isRight: (record: T) => boolean = () => true,
    ): Promise<T> {
      const found = until(builder, isRight);
      await happen();
      return found;
    }

    /**
     * Asks for what comes after the latest record. The cursor is named because a stream from `now` may begin only when
     * everything has happened, and clients do not report when it began.
     */
    async function fromHere<T extends Pageable>(make: () => T): Promise<T> {
      const latest = make();
      latest.order('desc').limit(1);
      const { records } = await latest.call();
      const builder = make();
      builder.cursor(records[0]?.paging_token ?? '0');
      return builder;
    }

    it('ledgers(), one by one', async () => {
      const ledgers = await fromHere(() => server.ledgers());
      const { sequence } = await next<{ sequence: number }>(ledgers as never, () => pay('1'));
      const { records } = await server.ledgers().order('desc').limit(1).call();
      assert.ok(sequence <= Number(records[0]?.sequence));
    });

    it('transactions(), of all and of an account', async () => {
      const bob = cast.bob.publicKey();
      for (const make of [
        () => server.transactions(),
        () => server.transactions().forAccount(bob),
      ]) {
        const builder = await fromHere(make);
        let hash = '';
        const record = await next<{ hash: string }>(builder as never, async () => {
          hash = await pay('1');
        });
        assert.equal(record.hash, hash);
      }
    });

    it('payments() and operations() of an account', async () => {
      const bob = cast.bob.publicKey();
      for (const [make, amount] of [
        [() => server.payments().forAccount(bob), '2.5000000'],
        [() => server.operations().forAccount(bob), '3.5000000'],
      ] as const) {
        const builder = await fromHere<Pageable>(make);
        const record = await next<{ amount: string; to: string }>(builder as never, () =>
          pay(amount),
        );
        assert.deepEqual([record.amount, record.to], [amount, bob]);
      }
    });

    it('effects() of an account', async () => {
      const builder = await fromHere(() => server.effects().forAccount(cast.bob.publicKey()));
      const record = await next<{ type: string; amount: string }>(builder as never, () => pay('4'));
      assert.deepEqual([record.type, record.amount], ['account_credited', '4.0000000']);
    });

    it('accounts().accountId(), each time that it changes', async () => {
      const bob = cast.bob.publicKey();
      const builder = server.accounts().accountId(bob);
      const before = await server.loadAccount(bob);
      const record = await next<{ last_modified_ledger: number; data_attr: object }>(
        builder as never,
        () => cast.act(cast.bob, [Operation.manageData({ name: 'at', value: String(version) })]),
        ({ last_modified_ledger }) => last_modified_ledger > before.last_modified_ledger,
      );
      assert.ok('at' in record.data_attr);
    });

    it('offers() of an account, orderbook() and trades()', async () => {
      const { alice, bob } = cast;
      const native = Asset.native();
      const versionsGold = new sdk.Asset('GOLD', alice.publicKey());
      const sell = Operation.manageSellOffer({
        selling: gold,
        buying: native,
        amount: '10',
        price: '2',
      });
      const offers = server.offers().forAccount(alice.publicKey()).cursor('0');
      const offer = await next<{ amount: string }>(offers as never, () => cast.act(alice, [sell]));
      assert.equal(offer.amount, '10.0000000');

      const take = (amount: string) => () =>
        cast.act(bob, [
          Operation.pathPaymentStrictReceive({
            sendAsset: native,
            sendMax: '100',
            destination: bob.publicKey(),
            destAsset: gold,
            destAmount: amount,
          }),
        ]);
      const book = server.orderbook(versionsGold, sdk.Asset.native());
      const isTaken = ({ asks }: { asks: { amount: string }[] }) => asks[0]?.amount === '7.0000000';
      await next(book as never, take('3'), isTaken);

      const trades = await fromHere(() =>
        server.trades().forAssetPair(versionsGold, sdk.Asset.native()),
      );
      const trade = await next<{ base_amount: string }>(trades as never, take('2'));
      assert.equal(trade.base_amount, '2.0000000');
    });

    it('and continue where they were after the requested number of events', async () => {
      const builder = await fromHere(() => server.payments().forAccount(cast.bob.publicKey()));
      builder.limit(1);
      const seen: string[] = [];
      const done = until<{ amount: string }>(builder as never, ({ amount }) => {
        seen.push(amount);
        return seen.length === 3;
      });
      for (const amount of ['1', '2', '3']) await pay(amount);
      await done;
      assert.deepEqual(seen, ['1.0000000', '2.0000000', '3.0000000']);
    });
  });
}

describe('A stream on the wire', () => {
  async function open(path: string, headers: Record<string, string> = {}) {
    const url = (await network).urls?.horizon ?? '';
    const accept = { Accept: 'text/event-stream', ...headers };
    const response = await fetch(url + path, { headers: accept });
    return { response, text: () => response.text() };
  }

  it('says hello, numbers its events, and says goodbye after the requested number', async () => {
    const { response, text } = await open('/ledgers?limit=2');
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const [hello, first, second, goodbye] = (await text()).split('\n\n');
    assert.equal(hello, 'retry: 1000\nevent: open\ndata: "hello"');
    assert.match(first ?? '', /^id: 8589934592\ndata: \{.*"sequence":2,/);
    assert.match(second ?? '', /^id: 12884901888\ndata: \{.*"sequence":3,/);
    assert.equal(goodbye, 'retry: 10\nevent: close\ndata: "byebye"');
  });

  it('begins with new events on request', async () => {
    const { response } = await open('/ledgers?limit=1&cursor=now');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader?.read())?.value ?? '', /"hello"/);
    const sequence = (await network).closeLedger();
    assert.ok((await reader?.read())?.value?.includes(`"sequence":${sequence},`));
    await reader?.cancel();
  });

  it('continues after Last-Event-ID, whatever the cursor says', async () => {
    const resumed = { 'Last-Event-ID': '12884901888' };
    const { text } = await open('/ledgers?limit=1&cursor=now', resumed);
    assert.match(await text(), /id: 17179869184\ndata: \{.*"sequence":4,/);
  });

  it('says goodbye when the network closes, which does not wait for it', {
    timeout: 60_000,
  }, async (t) => {
    const ending = await startLedger({ port: 0, seed: 'horizon streams that end' });
    const response = await fetch(`${ending.urls?.horizon}/payments?cursor=now`, {
      headers: { Accept: 'text/event-stream' },
    });
    const text = response.text();
    // Its grace for requests in progress never ends: a network that waited for the stream would not close.
    const now = Date.now();
    t.mock.method(Date, 'now', () => now);
    await ending.close();
    assert.match(await text, /event: close\ndata: "byebye"\n\n$/);
  });

  it('is refused with a problem if it cannot begin', async () => {
    const { response, text } = await open('/payments?cursor=nonsense');
    assert.equal(response.status, 400);
    assert.equal(
      (JSON.parse(await text()) as { type: string }).type,
      'https://stellar.org/horizon-errors/bad_request',
    );
  });

  it('is not available for collections that do not grow with ledgers', async () => {
    for (const path of ['/assets', '/claimable_balances', '/liquidity_pools', '/fee_stats']) {
      const { response, text } = await open(path);
      assert.equal(response.status, 406, path);
      await text();
    }
  });
});
