import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Asset } from '@stellar/stellar-sdk';
import { type HorizonServer, horizonServer, SDKS, type Sdk } from './sdks.ts';
import { type Story, tellStory } from './story.ts';

const story: Promise<Story> = tellStory();
after(async () => (await story).ledger.close());

/** Returns the records of a page, and checks that its neighbours are where it says. */
async function pageOf<T extends { paging_token?: string }>(builder: {
  limit(records: number): unknown;
  call(): Promise<{
    records: T[];
    next(): Promise<{ records: T[] }>;
    prev(): Promise<{ records: T[] }>;
  }>;
}): Promise<T[]> {
  const all = await builder.call();
  assert.ok(all.records.length > 0, 'there is something on the page');
  const [first, second] = all.records;
  if (second !== undefined && first?.paging_token !== undefined) {
    builder.limit(1);
    const one = await builder.call();
    const next = await one.next();
    assert.deepEqual(tokens([...one.records, ...next.records]), tokens([first, second]));
    builder.limit(200);
  }
  return all.records;
}

function tokens(records: readonly { paging_token?: string }[]): unknown[] {
  return records.map(({ paging_token }) => paging_token);
}

for (const { version, load } of SDKS) {
  describe(`Every call builder of Horizon.Server of the Stellar SDK ${version} is answered`, () => {
    let sdk: Sdk;
    let server: HorizonServer;
    let told: Story;
    before(async () => {
      sdk = await load();
      told = await story;
      server = horizonServer(sdk, told.url);
    });
    const asset = (of: Asset) => new sdk.Asset(of.getCode(), of.getIssuer());
    const gold = () => asset(told.gold);
    const key = (name: 'alice' | 'bob' | 'carol' | 'dave' | 'issuer') =>
      told.cast[name].publicKey();

    describe('accounts()', () => {
      it('finds one, with its sub-resources through its links', async () => {
        const account = await server.accounts().accountId(key('alice')).call();
        assert.equal(account.account_id, key('alice'));
        assert.equal(account.data_attr['greeting'], Buffer.from('hello').toString('base64'));
        assert.deepEqual(
          account.balances.map((balance) => balance.asset_type),
          ['liquidity_pool_shares', 'credit_alphanum4', 'credit_alphanum4', 'native'],
        );
        const data = await account.data({ value: 'greeting', key: 'greeting' } as never);
        assert.equal(Buffer.from((data as { value: string }).value, 'base64').toString(), 'hello');
        assert.ok((await account.transactions({ limit: 2, order: 'desc' })).records.length === 2);
        assert.ok((await account.payments()).records.length > 0);
        assert.ok((await account.operations()).records.length > 0);
        assert.ok((await account.effects()).records.length > 0);
        assert.ok((await account.trades({})).records.length > 0);
        assert.equal((await account.offers()).records.length, 0);
      });

      it('finds those of a signer, an asset, a sponsor or a pool', async () => {
        const signed = await pageOf(server.accounts().forSigner(key('bob')));
        assert.deepEqual(ids(signed), [key('alice'), key('bob')].sort());
        const trusting = await pageOf(server.accounts().forAsset(gold()).limit(200));
        assert.deepEqual(ids(trusting), [key('alice'), key('bob'), key('dave')].sort());
        const sponsored = await server.accounts().sponsor(key('alice')).call();
        assert.deepEqual(ids(sponsored.records), [key('dave')]);
        const sharing = await server.accounts().forLiquidityPool(told.poolId).call();
        assert.deepEqual(ids(sharing.records), [key('alice')]);
      });
    });

    it('loadAccount() returns an account for building transactions', async () => {
      const account = await server.loadAccount(key('bob'));
      assert.equal(account.accountId(), key('bob'));
      assert.match(account.sequenceNumber(), /^\d+$/);
    });

    it('ledgers() finds all of them, and one', async () => {
      const [latest] = await pageOf(server.ledgers().order('desc').limit(200));
      assert.ok(latest !== undefined && latest.sequence > 20);
      const one = await server.ledgers().ledger(latest.sequence).call();
      assert.equal((one as unknown as { hash: string }).hash, latest.hash);
      assert.ok((await latest.operations()).records.length >= 0);
    });

    it('transactions() finds those of an account, a ledger, a pool, a claimable balance, and one', async () => {
      const hash = told.hashes.payment;
      const one = await server.transactions().transaction(hash).call();
      assert.equal(one.memo, 'a gift');
      assert.equal(one.operation_count, 2);
      assert.equal((await one.account()).account_id, key('issuer'));
      assert.equal((await one.operations()).records.length, 2);
      assert.equal((await one.effects()).records.length, 4);
      const sequence = one.ledger_attr;
      const inLedger = await server.transactions().forLedger(sequence).call();
      assert.deepEqual(
        inLedger.records.map((record) => record.hash),
        [hash],
      );
      const ofIssuer = await pageOf(server.transactions().forAccount(key('issuer')).limit(200));
      assert.ok(ofIssuer.some((record) => record.hash === hash));
      await pageOf(server.transactions().forLiquidityPool(told.poolId).limit(200));
      await pageOf(server.transactions().forClaimableBalance(told.claimedBalanceId));
    });

    it('transactions() returns failed ones only when asked to', async () => {
      const { failed } = told.hashes;
      const without = await server.transactions().forAccount(key('carol')).limit(200).call();
      const withFailed = await server
        .transactions()
        .forAccount(key('carol'))
        .includeFailed(true)
        .limit(200)
        .call();
      assert.ok(!without.records.some(({ hash }) => hash === failed));
      assert.ok(withFailed.records.some(({ hash }) => hash === failed));
      const one = await server.transactions().transaction(failed).call();
      assert.equal(one.successful, false);
    });

    it('transactions() knows a fee bump by both of its hashes', async () => {
      const { feeBump, inner } = told.hashes;
      const outer = await server.transactions().transaction(feeBump).call();
      assert.equal(outer.fee_account, key('bob'));
      assert.equal(outer.inner_transaction?.hash, inner);
      const within = await server.transactions().transaction(inner).call();
      assert.equal(within.hash, inner);
      assert.equal(within.fee_bump_transaction?.hash, feeBump);
      assert.deepEqual(within.signatures, outer.inner_transaction?.signatures);
      assert.equal(within.memo, '42');
    });

    it('operations() finds those of an account, a ledger, a transaction, a pool, a claimable balance, and one', async () => {
      const { hashes, poolId, claimedBalanceId } = told;
      const ofTransaction = await pageOf(server.operations().forTransaction(hashes.sponsoring));
      assert.deepEqual(
        ofTransaction.map(({ type }) => type),
        [
          'begin_sponsoring_future_reserves',
          'create_account',
          'change_trust',
          'manage_data',
          'end_sponsoring_future_reserves',
        ],
      );
      const [, created] = ofTransaction;
      assert.equal((created as { sponsor?: string } | undefined)?.sponsor, key('alice'));
      const one = await server.operations().operation(String(created?.id)).call();
      assert.equal(one.id, created?.id);
      assert.equal((await one.transaction()).hash, hashes.sponsoring);
      await pageOf(server.operations().forAccount(key('dave')).limit(200));
      const { ledger_attr } = await one.transaction();
      await pageOf(server.operations().forLedger(ledger_attr));
      await pageOf(server.operations().forLiquidityPool(poolId));
      await pageOf(server.operations().forClaimableBalance(claimedBalanceId));
      const failed = await server.operations().forAccount(key('carol')).includeFailed(true).call();
      assert.ok(failed.records.some((record) => !record.transaction_successful));
    });

    it('operations() joins transactions', async () => {
      const { records } = await server
        .operations()
        .forTransaction(told.hashes.payment)
        .join('transactions')
        .call();
      assert.equal((await records[0]?.transaction())?.memo, 'a gift');
    });

    it('payments() finds those of an account, a ledger and a transaction', async () => {
      const ofTransaction = await pageOf(server.payments().forTransaction(told.hashes.payment));
      assert.deepEqual(
        ofTransaction.map((record) => (record as unknown as { amount: string }).amount),
        ['1000.0000000', '500.0000000'],
      );
      await pageOf(server.payments().forAccount(key('bob')).limit(200));
      const { ledger_attr } = await server.transactions().transaction(told.hashes.payment).call();
      assert.equal((await pageOf(server.payments().forLedger(ledger_attr))).length, 2);
      await pageOf(server.payments().order('desc').includeFailed(true).limit(200));
    });

    it('payments() returns transfers by asset contracts', async () => {
      const { records } = await server
        .payments()
        .forAccount(key('alice'))
        .order('desc')
        .limit(1)
        .call();
      const [latest] = records as unknown as {
        type: string;
        asset_balance_changes: Record<string, string>[];
      }[];
      assert.equal(latest?.type, 'invoke_host_function');
      const [change] = latest?.asset_balance_changes ?? [];
      assert.equal(change?.['type'], 'transfer');
      assert.equal(change?.['from'], key('alice'));
      assert.equal(change?.['amount'], '1.0000000');
      assert.equal(change?.['asset_code'], 'USDC');
      assert.match(change?.['to'] ?? '', /^C[A-Z2-7]{55}$/);
    });

    it('effects() finds those of an account, a ledger, a transaction, an operation and a pool', async () => {
      const { hashes, poolId } = told;
      const ofTransaction = await pageOf(server.effects().forTransaction(hashes.payment));
      assert.deepEqual(
        ofTransaction.map(({ type }) => type),
        ['account_credited', 'account_debited', 'account_credited', 'account_debited'],
      );
      await pageOf(server.effects().forAccount(key('alice')).limit(200));
      const [operation] = (await server.operations().forTransaction(hashes.payment).call()).records;
      assert.equal((await pageOf(server.effects().forOperation(String(operation?.id)))).length, 2);
      const { ledger_attr } = await server.transactions().transaction(hashes.payment).call();
      assert.equal((await pageOf(server.effects().forLedger(ledger_attr))).length, 4);
      const ofPool = await pageOf(server.effects().forLiquidityPool(poolId).limit(200));
      const types = ofPool.map(({ type }) => type as string);
      for (const type of ['created', 'deposited', 'trade', 'withdrew']) {
        assert.ok(types.includes(`liquidity_pool_${type}`), type);
      }
      const whole = await pageOf(server.effects().limit(200));
      assert.equal((await whole[0]?.operation?.())?.type, 'create_account');
    });

    it('offers() finds those of a seller, an asset, an account, and one', async () => {
      const bob = key('bob');
      const ofBob = await pageOf(server.offers().forAccount(bob).limit(200));
      assert.deepEqual(
        ofBob.map(({ seller }) => seller),
        [bob, bob],
      );
      await pageOf(server.offers().seller(bob).limit(200));
      const [selling] = await pageOf(server.offers().selling(gold()));
      assert.equal(selling?.price, '2.0000000');
      assert.deepEqual(selling?.price_r, { n: 2, d: 1 });
      const [buying] = await pageOf(server.offers().buying(gold()));
      assert.equal(buying?.price, '1.0000000');
      assert.equal((await server.offers().sponsor(bob).call()).records.length, 0);
      const one = await server.offers().offer(told.offerId).call();
      assert.equal(one.seller, bob);
      const { offer_maker } = one as unknown as {
        offer_maker(): Promise<{ account_id: string }>;
      };
      assert.equal((await offer_maker()).account_id, bob);
    });

    it('orderbook() returns both sides of a market', async () => {
      const { bids, asks, base } = await server
        .orderbook(gold(), sdk.Asset.native())
        .limit(5)
        .call();
      assert.equal((base as unknown as { asset_code: string }).asset_code, 'GOLD');
      assert.deepEqual(asks, [
        { price_r: { n: 2, d: 1 }, price: '2.0000000', amount: '85.0000000' },
      ]);
      assert.deepEqual(bids, [
        { price_r: { n: 1, d: 1 }, price: '1.0000000', amount: '10.0000000' },
      ]);
    });

    it('trades() finds those of a pair of assets, an account, an offer, a pool and a kind', async () => {
      const pair = await pageOf(
        server.trades().forAssetPair(gold(), sdk.Asset.native()).limit(200),
      );
      assert.ok(pair.every((trade) => trade.base_asset_code === 'GOLD'));
      assert.ok(pair.every((trade) => trade.counter_asset_type === 'native'));
      assert.deepEqual(
        pair.slice(0, 3).map(({ base_amount }) => base_amount),
        ['5.0000000', '3.0000000', '7.0000000'],
      );
      assert.equal((pair[0]?.price as { n: string } | undefined)?.n, '2');
      const ofOffer = await pageOf(server.trades().forOffer(told.offerId));
      assert.equal(ofOffer.length, 3);
      await pageOf(server.trades().forAccount(key('alice')).limit(200));
      const [ofPool] = await pageOf(server.trades().forLiquidityPool(told.poolId));
      assert.equal(ofPool?.trade_type, 'liquidity_pool');
      const kinds = await pageOf(server.trades().forType('liquidity_pool' as never));
      assert.ok(kinds.every(({ trade_type }) => trade_type === 'liquidity_pool'));
      assert.equal((await ofPool?.operation())?.type, 'path_payment_strict_send');
    });

    it('tradeAggregation() collects trades into spans of time', async () => {
      const hour = 3_600_000;
      const now = Date.now();
      const builder = server.tradeAggregation(
        gold(),
        sdk.Asset.native(),
        now - 24 * hour,
        now + 2 * hour,
        hour,
        0,
      );
      const { records } = await builder.limit(200).call();
      const counts = records.map(({ trade_count }) => Number(trade_count));
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        4,
      );
      assert.equal(records[0]?.open, '2.0000000');
      assert.equal(records[0]?.high, '2.0000000');
    });

    it('assets() returns where an asset is held', async () => {
      const byCode = await server.assets().forCode('GOLD').call();
      const byIssuer = await server.assets().forIssuer(key('issuer')).call();
      assert.deepEqual(
        byCode.records.map(({ paging_token }) => paging_token),
        byIssuer.records.map(({ paging_token }) => paging_token),
      );
      const [record] = byCode.records as unknown as Record<string, unknown>[];
      assert.deepEqual(record?.['flags'], {
        auth_required: false,
        auth_revocable: true,
        auth_immutable: false,
        auth_clawback_enabled: true,
      });
      assert.equal(record?.['num_liquidity_pools'], 1);
      assert.equal((record?.['accounts'] as { authorized: number } | undefined)?.authorized, 3);
      const [usdc] = (await server.assets().forCode('USDC').call()).records as unknown as Record<
        string,
        unknown
      >[];
      assert.equal(usdc?.['contract_id'], told.ledger.accounts.usdcContract);
      assert.equal(usdc?.['contracts_amount'], '1.0000000');
      await pageOf(server.assets().limit(200));
    });

    it('claimableBalances() finds those of a claimant, a sponsor, an asset, and one', async () => {
      const { openBalanceId } = told;
      for (const builder of [
        server.claimableBalances().claimant(key('bob')),
        server.claimableBalances().sponsor(key('alice')),
        server.claimableBalances().asset(sdk.Asset.native()),
      ]) {
        const records = await pageOf(builder);
        assert.deepEqual(
          records.map(({ id }) => id),
          [openBalanceId],
        );
      }
      const one = await server.claimableBalances().claimableBalance(openBalanceId).call();
      assert.equal(one.amount, '4.0000000');
      assert.deepEqual(
        one.claimants.map(({ predicate }) => predicate),
        [
          { unconditional: true },
          { not: { abs_before: '2100-01-01T00:00:00Z', abs_before_epoch: '4102444800' } },
        ],
      );
    });

    it('liquidityPools() finds those of an account, of assets, and one', async () => {
      const { poolId } = told;
      const ofAccount = await pageOf(server.liquidityPools().forAccount(key('alice')));
      const ofAssets = await pageOf(server.liquidityPools().forAssets(sdk.Asset.native(), gold()));
      assert.deepEqual(
        [...ofAccount, ...ofAssets].map(({ id }) => id),
        [poolId, poolId],
      );
      const one = await server.liquidityPools().liquidityPoolId(poolId).call();
      assert.equal(one.total_shares, '150.0000000');
      assert.equal(Number(one.total_trustlines), 1);
      assert.deepEqual(
        one.reserves.map((reserve) => reserve.asset),
        ['native', `GOLD:${key('issuer')}`],
      );
    });

    it('strictReceivePaths() and strictSendPaths() find ways through offers and pools', async () => {
      const receive = await server
        .strictReceivePaths([sdk.Asset.native()], asset(told.usdc), '10')
        .call();
      assert.equal(receive.records[0]?.destination_amount, '10.0000000');
      const ofAccount = await server.strictReceivePaths(key('alice'), asset(told.usdc), '1').call();
      const through = ofAccount.records.find((path) => path.source_asset_code === 'GOLD');
      assert.deepEqual(through?.path, [{ asset_type: 'native' }]);
      const send = await server.strictSendPaths(gold(), '1', [asset(told.usdc)]).call();
      assert.equal(send.records[0]?.source_amount, '1.0000000');
      const toAccount = await server.strictSendPaths(sdk.Asset.native(), '1', key('bob')).call();
      assert.ok(toAccount.records.some((path) => path.destination_asset_code === 'GOLD'));
    });

    it('root(), feeStats(), fetchBaseFee() and fetchTimebounds() describe the network', async () => {
      const root = await server.root();
      assert.equal(root.network_passphrase, told.ledger.passphrase);
      assert.ok(root.history_latest_ledger > 20);
      const fees = await server.feeStats();
      assert.equal(fees.last_ledger_base_fee, '100');
      assert.equal(await server.fetchBaseFee(), 100);
      const { minTime, maxTime } = await server.fetchTimebounds(60);
      assert.equal(Number(minTime), 0);
      assert.ok(Number(maxTime) > Date.now() / 1_000);
    });

    it('a missing resource is a NotFoundError', async () => {
      const nobody = sdk.Keypair.random().publicKey();
      for (const missing of [
        server.accounts().accountId(nobody).call(),
        server.payments().forAccount(nobody).call(),
        server.ledgers().ledger(4_000_000).call(),
        server.transactions().transaction('00'.repeat(32)).call(),
        server.offers().offer('987654').call(),
        server.liquidityPools().liquidityPoolId('00'.repeat(32)).call(),
      ]) {
        await assert.rejects(missing, sdk.NotFoundError);
      }
    });
  });
}

function ids(records: readonly { readonly account_id?: string; readonly id: string }[]): string[] {
  return records.map(({ id }) => id).sort();
}
