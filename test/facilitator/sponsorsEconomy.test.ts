import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FeeBumpTransaction, Networks, TransactionBuilder } from '@stellar/stellar-sdk';
import { settlementHash } from '../../src/protocol/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { postgresMissing, startPrivatePostgres } from '../store/privatePostgres.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { startFaultyRpc } from '../support/faultyRpc.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { type Posted, post } from '../support/post.ts';

const AMOUNT = 100_000n;

describe('M9: the sponsor’s fees cannot be burnt', () => {
  let local: LocalNetwork;
  let facilitator: RunningFacilitator;
  let seller: TestKey;

  before(async () => {
    // As on a public network, many settlements meet before the ledger decides about the first.
    local = await startLocalNetwork({ close: { kind: 'interval', milliseconds: 1_000 } });
    facilitator = await startFacilitator(facilitatorOptions(local));
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await local.close();
  });

  const fresh = (payer: TestKey): Promise<FacilitatorRequest> => freshPayment(local, payer, seller);

  async function settleAtOnce(payer: TestKey, count: number): Promise<Posted['body'][]> {
    const requests = await Promise.all(Array.from({ length: count }, () => fresh(payer)));
    const answers = await Promise.all(
      requests.map((request) => post(facilitator.url, '/settle', request)),
    );
    return answers.map(({ body }) => body);
  }
  const moved = (bodies: readonly Posted['body'][], fate: string) =>
    bodies.filter(
      ({ extra }) => (extra as { moneyMoved?: string } | undefined)?.moneyMoved === fate,
    );

  it('a payer with funds for one payment who sends 50 at once fails none on the ledger', async () => {
    const payer = await openPayer(local, AMOUNT);
    const bodies = await settleAtOnce(payer, 50);
    assert.equal(bodies.filter(({ success }) => success).length, 1);
    assert.equal(moved(bodies, 'fees').length, 0);
    for (const { success, extra, transaction } of bodies) {
      if (success) continue;
      assert.equal(extra?.cause, 'insufficient_funds');
      assert.equal(transaction, '');
    }
  });

  it('if a payer has funds for all, all settle, several in a ledger', async () => {
    const payer = await openPayer(local, 20n * AMOUNT);
    const bodies = await settleAtOnce(payer, 20);
    assert.equal(bodies.filter(({ success }) => success).length, 20);
    assert.equal((await balancesOf(local, payer.address)).usdc, 0n);
    const ledgers = new Set<number>();
    for (const { transaction } of bodies) {
      const found = await local.ledger.call('getTransaction', { hash: transaction });
      ledgers.add((found as { ledger: number }).ledger);
    }
    assert.ok(ledgers.size < 20, `20 payments in ${ledgers.size} ledgers`);
  });

  it('with funds for some, exactly those settle', async () => {
    const payer = await openPayer(local, 7n * AMOUNT + 1n);
    const bodies = await settleAtOnce(payer, 12);
    assert.equal(bodies.filter(({ success }) => success).length, 7);
    assert.equal(moved(bodies, 'fees').length, 0);
    assert.equal((await balancesOf(local, payer.address)).usdc, 1n);
  });

  describe('the bid for inclusion', () => {
    async function bidOfOne(url: string): Promise<bigint> {
      const payer = await openPayer(local, AMOUNT);
      const { body } = await post(url, '/settle', await fresh(payer));
      assert.equal(body.success, true);
      const found = await local.network.lookUp(
        settlementHash(Buffer.from(body.transaction ?? '', 'hex')),
      );
      assert.ok(found.status === 'SUCCESS' && found.envelope !== undefined);
      const read = TransactionBuilder.fromXDR(found.envelope, Networks.TESTNET);
      assert.ok(read instanceof FeeBumpTransaction);
      return BigInt(read.fee);
    }

    it('follows what others pay, up to the ceiling', async () => {
      const rpc = await startFaultyRpc(local.rpcUrl);
      let others = '5000';
      rpc.fault((method) =>
        method === 'getFeeStats'
          ? (result) => ({ ...result, sorobanInclusionFee: { p90: others } })
          : undefined,
      );
      const one = await startFacilitator({ ...facilitatorOptions(local), rpcUrl: rpc.url });
      const two = await startFacilitator({ ...facilitatorOptions(local), rpcUrl: rpc.url });
      try {
        // Statistics are asked for beside the payment that first needs them.
        await bidOfOne(one.url);
        const bid = await bidOfOne(one.url);
        assert.ok(bid > 10_000n && bid < 100_000n, `${bid}`);
        others = '90000000';
        await bidOfOne(two.url);
        const highest = await bidOfOne(two.url);
        assert.ok(highest === 500_000n || highest === 499_999n, `${highest}`);
      } finally {
        await one.close();
        await two.close();
        await rpc.close();
      }
    });
  });

  describe('two instances on one PostgreSQL', { skip: postgresMissing ?? false }, () => {
    it('know each other’s payments in flight of a payer', async () => {
      const server = await startPrivatePostgres();
      const databaseUrl = await server.createDatabase();
      const options = { ...facilitatorOptions(local), databaseUrl };
      const instances = [await startFacilitator(options), await startFacilitator(options)];
      try {
        const payer = await openPayer(local, 4n * AMOUNT);
        const requests = await Promise.all(Array.from({ length: 16 }, () => fresh(payer)));
        const answers = await Promise.all(
          requests.map((request, i) => post(instances[i % 2]?.url ?? '', '/settle', request)),
        );
        const bodies = answers.map(({ body }) => body);
        assert.equal(moved(bodies, 'fees').length, 0);
        assert.equal(bodies.filter(({ success }) => success).length, 4);
      } finally {
        for (const one of instances) await one.close();
        await server.close();
      }
    });
  });
});
