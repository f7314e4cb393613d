import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress, StellarAddress } from '../../src/protocol/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';

/** Atomic units of one USDC. */
const ONE = 10_000_000n;
const DAY = 86_400n;
/** The most that facilitators of the published packages bid by default, in stroops. */
const PUBLISHED_CEILING = 50_000n;
/** What simulation declares under one policy stays below, with 20 recipients too. It was 4.85 M with the modules of 0.3.0. */
const MAX_INSTRUCTIONS = 4_000_000;

for (const protocol of [27, 28] as const) {
  describe(`[C4] What an agent’s payment of \`exact\` costs on protocol ${protocol}: the first and later ones`, () => {
    let stack: LocalStack;
    let chain: Chain;
    let funder: TestKey;
    let seller: TestKey;
    before(async () => {
      stack = await startLocalStack({}, { protocol });
      funder = await openPayer(stack, 100n * ONE);
      seller = await openSeller(stack);
      chain = new Chain(stack, funder);
    });
    after(() => stack.close());

    const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

    async function funded(name: string): Promise<AgentWallet> {
      const wallet = await AgentWallet.open(chain, name);
      const args = [address(funder.address), address(wallet.id), toI128(10n * ONE)];
      await chain.call(USDC, 'transfer', args);
      return wallet;
    }

    async function settle(request: object): Promise<void> {
      const response = await fetch(`${stack.facilitator.url}/settle`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      const { success, errorMessage } = (await response.json()) as Record<string, unknown>;
      assert.equal(success, true, String(errorMessage));
    }

    const sponsor = async () =>
      (await balancesOf(stack, stack.ledger.accounts.sponsor.address)).xlm;

    /** Twenty, as many as there may be; the seller is the last. */
    const twenty = (): StellarAddress[] => [
      ...Array.from({ length: 19 }, (_, at) => testKey(`recipient ${at}`).address),
      seller.address,
    ];

    /** The policies that the agent's key names, in their order. */
    const cases: readonly (readonly [
      string,
      (wallet: AgentWallet) => Promise<ContractAddress[]>,
    ])[] = [
      ['a limit', async (wallet) => [await wallet.limit(undefined, ONE, DAY)]],
      [
        'a limit, most of one payment, one recipient',
        async (wallet) => {
          const narrow = { most: ONE / 2n, list: [seller.address] };
          return [await wallet.limit(undefined, ONE, DAY, USDC, narrow)];
        },
      ],
      [
        'a limit, most of one payment, twenty recipients',
        async (wallet) => {
          const narrow = { most: ONE / 2n, list: twenty() };
          return [await wallet.limit(undefined, ONE, DAY, USDC, narrow)];
        },
      ],
      [
        'a limit that slides',
        async (wallet) => [await wallet.limit(undefined, ONE, DAY, USDC, { sliding: true })],
      ],
      [
        'a limit and a number of payments',
        async (wallet) => [await wallet.limit(undefined, ONE, DAY, USDC, { payments: 100 })],
      ],
      [
        'a limit that slides, a number of payments, most of one, twenty recipients',
        async (wallet) => {
          const narrow = { most: ONE / 2n, list: twenty(), payments: 100, sliding: true };
          return [await wallet.limit(undefined, ONE, DAY, USDC, narrow)];
        },
      ],
      [
        'two limits, of a day and of a week',
        async (wallet) => [
          await wallet.limit(undefined, ONE, DAY),
          await wallet.limit(undefined, 2n * ONE, 7n * DAY),
        ],
      ],
    ];

    for (const [name, policiesOf] of cases) {
      it(`under ${name}: below the ceiling of published facilitators, from the first on`, async (t) => {
        const wallet = await funded(name);
        const policies = await policiesOf(wallet);
        for (const policy of policies) await wallet.attach(policy);
        await wallet.grant([USDC], policies);
        const simulated: bigint[] = [];
        for (const turn of ['first', 'second', 'third']) {
          const payment = await wallet.exactPayment(seller.address, ONE / 10n);
          const { resourceFee, instructions } = await chain.costOf(payment);
          const before = await sponsor();
          await settle(payment);
          const charged = before - (await sponsor());
          t.diagnostic(`| ${name} | ${turn} | ${instructions} | ${resourceFee} | ${charged} |`);
          assert.ok(resourceFee < PUBLISHED_CEILING, `${resourceFee}`);
          if (policies.length === 1) assert.ok(instructions < MAX_INSTRUCTIONS, `${instructions}`);
          simulated.push(resourceFee);
        }
        const [first = 0n, ...later] = simulated;
        for (const fee of later) assert.ok(first <= fee + 1_000n, `${first} and ${fee}`);
      });
    }

    it('the owner’s passkey, which no policy limits, for comparison', async (t) => {
      const wallet = await funded('the owner');
      for (const turn of ['first', 'second']) {
        const payment = await wallet.exactPayment(seller.address, ONE / 10n, wallet.byOwner);
        const { resourceFee, instructions } = await chain.costOf(payment);
        const before = await sponsor();
        await settle(payment);
        const charged = before - (await sponsor());
        t.diagnostic(
          `| the owner’s passkey | ${turn} | ${instructions} | ${resourceFee} | ${charged} |`,
        );
        assert.ok(resourceFee < PUBLISHED_CEILING);
      }
    });
  });
}
