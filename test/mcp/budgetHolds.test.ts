import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { accountSigner, createX402Fetch, usdc } from '../../src/sdk/index.ts';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { Chain } from '../policies/support/chain.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type PaidSeller, sellerInstalled, startPaidSeller } from '../support/paidSeller.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { type AgentClient, pythonClient, typeScriptClient, withoutPython } from './agentClients.ts';
import { type AgentWithBudget, grantBudget } from './agentWithBudget.ts';
import { readCall, type Said } from './callResult.ts';
import { honest, type Presented, startScriptedSeller } from './scriptedSeller.ts';

const CLIENTS = [
  { name: 'TypeScript', open: typeScriptClient, skip: false },
  { name: 'Python', open: pythonClient, skip: withoutPython },
] as const;

interface Receipts {
  readonly total: number;
  readonly receipts: readonly {
    readonly transaction: string | null;
    readonly outcome: string;
    readonly amount: string;
  }[];
}

/** What a seller does with a payment, by the path that was asked for. */
const SELLER: Readonly<Record<string, (presented: Presented) => Promise<void>>> = {
  '/lies': async ({ response, say }) => {
    say({ success: true, transaction: 'ab'.repeat(32), network: 'stellar:testnet' });
    response.writeHead(200).end('free lunch');
  },
  '/denies': async ({ response, say, settle }) => {
    await settle();
    say({ success: false, transaction: '', errorReason: 'insufficient_funds' });
    response.writeHead(402).end();
  },
  '/cut': async ({ response, settle }) => {
    await settle();
    response.destroy();
  },
  '/lost': async ({ response }) => void response.destroy(),
};

/** A service whose catalog names a price that nobody asks, and trust that nobody earned. */
async function startLyingService(honestUrl: string) {
  const server = createServer((request, response) => {
    fetch(new URL(request.url ?? '/', honestUrl)).then(
      async (answer) => {
        const lie = (await answer.text()).replaceAll(/"amount":"\d+"/g, '"amount":"1"');
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(lie);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

for (const { name, open, skip } of CLIENTS) {
  const missing = sellerInstalled ? skip : 'the packages of examples/paid-api are not installed';
  describe(`an agent on the ${name} client, under a budget of 0.10 USDC`, { skip: missing }, () => {
    const folder = temporaryFolder();
    const clients: AgentClient[] = [];
    let stack: LocalStack;
    let chain: Chain;
    let funder: TestKey;
    let payTo: TestKey;
    let seller: PaidSeller;
    before(async () => {
      stack = await startLocalStack({ policyProofRequired: false });
      funder = await openPayer(stack, 1_000_000_000n);
      chain = new Chain(stack, funder);
      payTo = await openSeller(stack);
      const { url } = stack.facilitator;
      seller = await startPaidSeller({ facilitatorUrl: url, payTo: payTo.address });
      // What is paid once is listed.
      const pay = createX402Fetch({
        signer: accountSigner(funder.address, funder.sign),
        rpcUrl: stack.rpcUrl,
        allowedAssets: [USDC],
        maxAmount: usdc('0.01 USDC'),
      });
      assert.equal((await pay(seller.url)).status, 200);
    });
    after(async () => {
      for (const client of clients) await client.close();
      await seller?.stop();
      await stack?.close();
      folder.remove();
    });

    const earned = async () => (await balancesOf(stack, payTo.address)).usdc;

    async function openAgent({ secret, wallet }: AgentWithBudget, service?: string) {
      const client = await open({
        args: ['mcp', '--pay'],
        env: {
          PATH: process.env['PATH'] ?? '',
          SVC_X402_DATA_DIR: folder.path,
          FACILITATOR_URL: service ?? stack.facilitator.url,
          STELLAR_RPC_URL: stack.rpcUrl,
          PAYER_SECRET: secret,
          PAYER_WALLET: wallet,
        },
      });
      clients.push(client);
      const find = async () => {
        const result = await client.call('x402_search_resources', { query: 'weather by city' });
        const { resources } = result.structuredContent as unknown as {
          resources: { resource: string; accepts: { amount: string }[] }[];
        };
        const { origin } = new URL(seller.url);
        const found = resources.find(({ resource }) => resource.startsWith(origin));
        return found ?? assert.fail('the API is not found');
      };
      const call = async (url: string, maxAmount = '0.01') =>
        readCall(await client.call('x402_call', { url, maxAmount })).said;
      const receipts = async () =>
        (await client.call('x402_receipts', { limit: 100 }))
          .structuredContent as unknown as Receipts;
      return { find, call, receipts };
    }

    const granted = (of: string) =>
      grantBudget(stack, chain, funder.address, { name: `${name} ${of}`, budget: '0.10' });

    /** Every receipt that says settled is a transaction that the ledger has, and there is no other. */
    async function assertOnLedger({ receipts }: Receipts, moved: bigint): Promise<void> {
      const settled = receipts.filter(({ outcome }) => outcome === 'settled');
      const hashes = new Set(settled.map(({ transaction }) => transaction ?? ''));
      assert.equal(hashes.size, settled.length);
      for (const hash of hashes) {
        assert.equal((await chain.server.getTransaction(hash)).status, 'SUCCESS', hash);
      }
      const sum = settled.reduce((total, { amount }) => total + usdc(amount), 0n);
      assert.equal(sum, moved, 'what the receipts say is what the seller received');
    }

    it('finds an API, calls it ten times at 0.01 USDC, and is refused the eleventh by the ledger', async () => {
      const agent = await granted('ten');
      const { find, call, receipts } = await openAgent(agent);
      const { resource } = await find();
      const { origin } = new URL(resource);
      const before = await earned();
      for (let city = 0; city < 10; city++) {
        const said = await call(`${origin}/weather/city-${city}`);
        assert.equal(said.outcome, 'settled', JSON.stringify(said));
      }
      const eleventh = await call(`${origin}/weather/Lima`);
      assert.deepEqual([eleventh.code, eleventh.receipt], ['policy_refused', null]);
      const moved = (await earned()) - before;
      assert.equal(moved, usdc('0.1 USDC'));
      const listed = await receipts();
      assert.equal(listed.total, 10);
      await assertOnLedger(listed, moved);
      const [state] = await agent.agents.list([agent.agent]);
      assert.deepEqual([state?.budgets[0]?.spent, state?.budgets[0]?.left], ['0.1', '0']);
    });

    it('is refused at once after it is revoked', async () => {
      const agent = await granted('revoked');
      const { call, receipts } = await openAgent(agent);
      const before = await earned();
      assert.equal((await call(seller.url)).outcome, 'settled');
      await agent.agents.revoke(agent.agent);
      assert.equal((await call(`${seller.url}-2`)).code, 'key_not_limited');
      assert.equal((await earned()) - before, usdc('0.01 USDC'));
      await assertOnLedger(await receipts(), usdc('0.01 USDC'));
    });

    it('pays nothing above the price that a lying service lists', async () => {
      const lying = await startLyingService(stack.facilitator.url);
      try {
        const { find, call, receipts } = await openAgent(await granted('misled'), lying.url);
        const { resource, accepts } = await find();
        assert.equal(accepts[0]?.amount, '1');
        const before = await earned();
        const { origin } = new URL(resource);
        const said = await call(`${origin}/weather/Lima`, '0.0000001');
        assert.deepEqual([said.outcome, said.code], ['not_paid', 'max_amount_exceeded']);
        assert.equal((await receipts()).total, 0);
        assert.equal(await earned(), before);
      } finally {
        await lying.close();
      }
    });

    it('never spends more than its budget, even with a lying seller and lost responses', async () => {
      const scripted = await startScriptedSeller(stack.facilitator.url, payTo.address);
      try {
        scripted.paid = (presented) => {
          const { pathname } = new URL(presented.response.req.url ?? '/', scripted.url);
          return (SELLER[pathname] ?? honest)(presented);
        };
        const agent = await granted('lied to');
        const { call, receipts } = await openAgent(agent);
        const before = await earned();
        const outcomes: Record<string, string> = {};
        for (const path of Object.keys(SELLER)) {
          const { outcome, code } = await call(`${scripted.url}${path}`);
          outcomes[path] = `${outcome} ${code}`;
        }
        assert.deepEqual(outcomes, {
          '/lies': 'not_yet null',
          '/denies': 'settled settled_without_resource',
          '/cut': 'settled settled_without_resource',
          '/lost': 'not_yet not_settled_yet',
        });
        const { presented } = scripted;
        const again = await call(`${scripted.url}/lost`);
        assert.equal(again.code, 'earlier_payment_unknown');
        assert.equal(scripted.presented, presented, 'nothing is paid again blindly');
        let refused: Said | undefined;
        for (let page = 0; page < 11 && refused === undefined; page++) {
          const said = await call(`${scripted.url}/page/${page}`);
          if (said.outcome !== 'settled') refused = said;
        }
        assert.equal(refused?.code, 'policy_refused');
        const moved = (await earned()) - before;
        assert.equal(moved, usdc('0.1 USDC'));
        await assertOnLedger(await receipts(), moved);
      } finally {
        await scripted.close();
      }
    });
  });
}
