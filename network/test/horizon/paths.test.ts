import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, type Horizon, LiquidityPoolAsset, Operation } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { Cast } from './cast.ts';

type Path = Horizon.ServerApi.PaymentPathRecord;

/** One stroop. */
const STROOP = 0.000_000_1;

function pathOf({ path }: Path): Asset[] {
  return path.map(({ asset_code, asset_issuer }) => assetOf(asset_code, asset_issuer));
}

function assetOf(code: string | undefined, issuer: string | undefined): Asset {
  return code === undefined ? Asset.native() : new Asset(code, issuer);
}

/** The first path, then the second, …, each after a new search: paying by one changes what the others cost. */
async function* oneByOne(
  find: () => { call(): Promise<{ records: Path[] }> },
): AsyncGenerator<Path> {
  for (let at = 0; ; at++) {
    const { records } = await find().call();
    const record = records[at];
    if (record === undefined) return;
    yield record;
  }
}

/** The codes of the operations of a submission that is refused. */
async function codesOf(submission: Promise<unknown>): Promise<unknown> {
  const error: unknown = await submission.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  const { data } = (error as { response: { data: { extras: Record<string, unknown> } } }).response;
  return (data.extras['result_codes'] as { operations: unknown }).operations;
}

describe('A payment path', () => {
  let ledger: RunningLedger;
  let cast: Cast;
  let assets: Asset[];

  /**
   * The issuer makes A, B and C, alice trades them: A and B for lumens, B for C, A for C at a bad price, and C for lumens in
   * a pool. Bob has some of each.
   */
  before(async () => {
    ledger = await startLedger({ port: 0, seed: 'horizon paths' });
    cast = new Cast(ledger.passphrase, ledger.urls?.horizon ?? '');
    const { alice, bob, issuer } = cast;
    for (const account of [alice, bob, issuer]) await cast.fund(account);
    assets = ['A', 'B', 'C'].map((code) => new Asset(code, issuer.publicKey()));
    const [a, b, c] = assets as [Asset, Asset, Asset];
    const native = Asset.native();
    const shares = new LiquidityPoolAsset(native, c, 30);
    const trust = assets.map((asset) => Operation.changeTrust({ asset }));
    await cast.act(bob, trust);
    await cast.act(alice, [...trust, Operation.changeTrust({ asset: shares })]);
    await cast.act(
      issuer,
      assets.flatMap((asset) =>
        [alice, bob].map((account) =>
          Operation.payment({ destination: account.publicKey(), asset, amount: '2000' }),
        ),
      ),
    );
    const sell = (selling: Asset, buying: Asset, amount: string, price: string) =>
      Operation.manageSellOffer({ selling, buying, amount, price });
    const { records } = await cast.server.liquidityPools().forAccount(alice.publicKey()).call();
    await cast.act(alice, [
      sell(a, native, '7.3', '1.37'),
      sell(a, native, '90', '1.41'),
      sell(native, a, '100', '0.77'),
      sell(b, a, '40', '1.013'),
      sell(b, native, '33', '3'),
      sell(c, b, '50', '0.499'),
      sell(c, a, '50', '1.9'),
      Operation.liquidityPoolDeposit({
        liquidityPoolId: String(records[0]?.id),
        maxAmountA: '300',
        maxAmountB: '300',
        minPrice: '0.1',
        maxPrice: '10',
      }),
    ]);
  });
  after(() => ledger.close());

  it('goes through pools and several markets where that is cheaper', async () => {
    const [, , c] = assets as [Asset, Asset, Asset];
    const { records } = await cast.server.strictReceivePaths([Asset.native()], c, '20').call();
    const lengths = records.map(({ path }) => path.length);
    assert.ok(lengths.includes(0) && lengths.some((length) => length > 0), String(lengths));
    const costs = records.map(({ source_amount }) => Number(source_amount));
    assert.deepEqual(
      costs,
      [...costs].sort((a, b) => a - b),
    );
  });

  const amounts = ['0.0000003', '7.1234567'];

  it('costs the stated amount, for a given amount received', async () => {
    const { bob, server } = cast;
    let tried = 0;
    for (const destination of [Asset.native(), ...assets]) {
      for (const destAmount of amounts) {
        const find = () => server.strictReceivePaths(bob.publicKey(), destination, destAmount);
        for await (const record of oneByOne(find)) {
          const sendAsset = assetOf(record.source_asset_code, record.source_asset_issuer);
          const pay = (sendMax: string) =>
            cast.build(bob, [
              Operation.pathPaymentStrictReceive({
                sendAsset,
                sendMax,
                destination: bob.publicKey(),
                destAsset: destination,
                destAmount,
                path: pathOf(record),
              }),
            ]);
          const less = (Number(record.source_amount) - STROOP).toFixed(7);
          if (Number(less) > 0) {
            const refused = await codesOf(server.submitTransaction(await pay(less)));
            assert.deepEqual(refused, ['op_over_source_max'], JSON.stringify(record));
          }
          const { successful } = await server.submitTransaction(await pay(record.source_amount));
          assert.equal(successful, true);
          tried += 1;
        }
      }
    }
    assert.ok(tried > 15, `${tried} paths were tried`);
  });

  it('delivers the stated amount, for a given amount sent', async () => {
    const { bob, server } = cast;
    let tried = 0;
    for (const sendAsset of [Asset.native(), ...assets]) {
      for (const sendAmount of amounts) {
        const find = () => server.strictSendPaths(sendAsset, sendAmount, bob.publicKey());
        for await (const record of oneByOne(find)) {
          const destAsset = assetOf(record.destination_asset_code, record.destination_asset_issuer);
          const pay = (destMin: string) =>
            cast.build(bob, [
              Operation.pathPaymentStrictSend({
                sendAsset,
                sendAmount,
                destination: bob.publicKey(),
                destAsset,
                destMin,
                path: pathOf(record),
              }),
            ]);
          const more = (Number(record.destination_amount) + STROOP).toFixed(7);
          const refused = await codesOf(server.submitTransaction(await pay(more)));
          assert.deepEqual(refused, ['op_under_dest_min'], JSON.stringify(record));
          const exactly = await pay(record.destination_amount);
          const { successful } = await server.submitTransaction(exactly);
          assert.equal(successful, true);
          tried += 1;
        }
      }
    }
    assert.ok(tried > 15, `${tried} paths were tried`);
  });

  it('never crosses the payer’s own offers', async () => {
    const [a] = assets as [Asset, Asset, Asset];
    const { records } = await cast.server.strictReceivePaths(cast.alice.publicKey(), a, '1').call();
    // Alice alone sells A: nothing is left for her but what she has.
    assert.deepEqual(
      records.map(({ source_asset_code, path }) => [source_asset_code, path]),
      [['A', []]],
    );
  });
});
