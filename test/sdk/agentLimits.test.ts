import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { accountSignature } from '../../src/protocol/smartAccount/index.ts';
import { toI128 } from '../../src/protocol/stellar/index.ts';
import { CannotPayError, type SignedWalletCall } from '../../src/sdk/index.ts';
import type { AgentWallet } from '../policies/support/agentWallet.ts';
import type { SignHash } from '../policies/support/chain.ts';
import { EARLIER_MODULES, FIXED_LIMIT_MODULES } from '../policies/support/contractModules.ts';
import { USDC } from '../support/payment.ts';
import { AgentScene, address, DAY } from './support/agentScene.ts';

const WINDOW = 86_400;

describe('An agent’s limits besides an amount, which only the owner can change', () => {
  let scene: AgentScene;
  let goods: string;
  before(async () => {
    scene = await AgentScene.open();
    goods = `${scene.seller.url}/paid`;
  });
  after(() => scene?.close());

  const limits = { budget: '0.35', window: 'day', assets: [USDC] } as const;
  const expires = () => new Date(Date.now() + 7 * DAY);
  const bool = (value: boolean) => xdr.ScVal.scvBool(value);
  const none = xdr.ScVal.scvVoid();

  async function budgetOf(wallet: AgentWallet, agent: string) {
    const [state] = await scene.agentsOf(wallet).list([agent]);
    return state?.budgets[0] ?? assert.fail('it has a budget');
  }

  /** Refused by the ledger, with this number of the policy's. */
  const refusedAs = (number: number) => (error: unknown) => {
    assert.ok(error instanceof CannotPayError, `${error}`);
    assert.equal(error.reason, 'policy_refused');
    assert.equal(error.refusal?.policy, number);
    return true;
  };

  it('a maximum number of payments in a window: the ledger refuses the next one', async () => {
    const wallet = await scene.account('counted');
    const agents = scene.agentsOf(wallet);
    const made = await agents.grant({ ...limits, maxPayments: 2, expires: expires() });
    const pay = scene.payAs(wallet, made.secret);
    for (let call = 0; call < 2; call++) assert.equal((await pay(goods)).status, 200);
    await assert.rejects(pay(goods), refusedAs(7));
    const budget = await budgetOf(wallet, made.agent);
    assert.deepEqual([budget.left, budget.maxPayments, budget.paymentsLeft], ['0.15', 2, 0]);
    await agents.topUp(made.agent, { ...limits, maxPayments: 3 });
    assert.equal((await pay(goods)).status, 200);
    await assert.rejects(pay(goods), refusedAs(1));
  });

  it('a sliding window: spending expires part by part, never before its day is over', async () => {
    const wallet = await scene.account('sliding');
    const agents = scene.agentsOf(wallet);
    const made = await agents.grant({
      ...limits,
      budget: '0.2',
      sliding: true,
      expires: expires(),
    });
    const pay = scene.payAs(wallet, made.secret);
    assert.equal((await pay(goods)).status, 200);
    await scene.chain.pass(WINDOW / 2);
    assert.equal((await pay(goods)).status, 200);
    await assert.rejects(pay(goods), refusedAs(1));
    const budget = await budgetOf(wallet, made.agent);
    assert.equal(budget.sliding, true);
    // The first payment is spent for a day, and at most two hours longer.
    await scene.chain.pass(WINDOW / 2 - 60);
    await assert.rejects(pay(goods), refusedAs(1));
    await scene.chain.pass(WINDOW / 12 + 120);
    assert.equal((await budgetOf(wallet, made.agent)).spent, '0.1');
    assert.equal((await pay(goods)).status, 200);
    await assert.rejects(pay(goods), refusedAs(1));
  });

  it('the owner changes them with one prompt, in the same contract, and what was spent stays spent', async () => {
    const wallet = await scene.account('changed');
    const shown: unknown[] = [];
    const agents = scene.agentsOf(wallet, { confirm: (plan) => void shown.push(plan) });
    const made = await agents.grant({ ...limits, expires: expires() });
    const pay = scene.payAs(wallet, made.secret);
    assert.equal((await pay(goods)).status, 200);
    const { prompts } = wallet.owner;
    const next = { ...limits, budget: '0.5', sliding: true, maxPayments: 9, perPayment: '0.2' };
    const changed = await agents.topUp(made.agent, { ...next, recipients: [scene.payTo] });
    assert.equal(wallet.owner.prompts - prompts, 1);
    assert.deepEqual(changed.policies, made.policies);
    assert.deepEqual(await scene.chain.ask(wallet.id, 'policies'), [...made.policies]);
    const [, plan] = shown as { policies: { limit: bigint; sliding: boolean }[] }[];
    assert.deepEqual([plan?.policies[0]?.limit, plan?.policies[0]?.sliding], [5_000_000n, true]);
    const budget = await budgetOf(wallet, made.agent);
    assert.deepEqual(
      [budget.limit, budget.spent, budget.left, budget.perPayment, budget.recipients],
      ['0.5', '0.1', '0.4', '0.2', [scene.payTo]],
    );
    // The payment before counts as one.
    assert.deepEqual([budget.sliding, budget.maxPayments, budget.paymentsLeft], [true, 9, 8]);
    // The same limits again change nothing, and ask nobody.
    const again = agents.topUp(made.agent, { ...next, recipients: [scene.payTo] });
    await assert.rejects(again, { code: 'not_configured', message: /already has these limits/ });
    // Below what was spent nothing is left.
    await agents.topUp(made.agent, { ...limits, budget: '0.05' });
    const lowered = await budgetOf(wallet, made.agent);
    assert.deepEqual([lowered.spent, lowered.left], ['0.1', '0']);
    await assert.rejects(pay(goods), refusedAs(1));
    assert.equal(wallet.owner.prompts - prompts, 2);
  });

  it('invalid limits are refused before any prompt', async () => {
    const wallet = await scene.account('senseless');
    const agents = scene.agentsOf(wallet);
    const { agent } = await agents.grant({ ...limits, expires: expires() });
    const { prompts } = wallet.owner;
    for (const wrong of [
      { maxPayments: 0 },
      { maxPayments: 1.5 },
      { maxPayments: 2 ** 32 },
      { sliding: 'yes' as never },
      { budget: '0' },
      { budget: '0.00000001' },
      { perPayment: '0.36' },
    ]) {
      const asked = agents.topUp(agent, { ...limits, ...wrong });
      await assert.rejects(asked, { code: 'not_configured' }, JSON.stringify(wrong));
    }
    assert.equal(wallet.owner.prompts, prompts);
  });

  it('the agent, and a stranger, change nothing', async () => {
    const wallet = await scene.account('attacked');
    const made = await scene.agentsOf(wallet).grant({ ...limits, expires: expires() });
    const policy = made.policies[0] as ContractAddress;
    const key = Keypair.fromSecret(made.secret ?? '');
    const publicKey = key.rawPublicKey();
    const byKey: SignHash = (hash) => {
      const signature = key.sign(Buffer.from(hash));
      return accountSignature([{ kind: 'ed25519', publicKey, signature }]);
    };
    const args = [
      ...[xdr.ScVal.scvU32(0), toI128(100_000_000n), xdr.ScVal.scvU64(86_400n)],
      ...[none, none, none, bool(false)],
    ];
    await assert.rejects(scene.chain.call(policy, 'change_limits', args, byKey));
    const stranger = await scene.account('stranger');
    await assert.rejects(scene.chain.call(policy, 'change_limits', args, stranger.byOwner));
    await assert.rejects(scene.chain.present(policy, 'change_limits', args, []));
    assert.equal((await budgetOf(wallet, made.agent)).limit, '0.35');
    await scene.chain.call(policy, 'change_limits', args, wallet.byOwner);
    assert.equal((await budgetOf(wallet, made.agent)).limit, '10');
  });

  it('a change that a relayer held back does not undo a later one, and none counts twice', async () => {
    const wallet = await scene.account('kept back');
    const made = await scene.agentsOf(wallet).grant({ ...limits, expires: expires() });
    const kept: SignedWalletCall[] = [];
    const keeping = scene.agentsOf(wallet, {
      submit: async (call) => {
        kept.push(call);
        throw new Error('the relayer keeps it');
      },
    });
    await assert.rejects(keeping.topUp(made.agent, { ...limits, budget: '4' }), /keeps it/);
    await scene.agentsOf(wallet).topUp(made.agent, { ...limits, budget: '0.4' });
    const [late] = kept;
    assert.ok(late);
    await assert.rejects(scene.submit(late), /#8\b/);
    // Nor a second time, when it was in time.
    const sending = scene.agentsOf(wallet, {
      submit: async (call) => {
        kept.push(call);
        return scene.submit(call);
      },
    });
    await sending.topUp(made.agent, { ...limits, budget: '0.6' });
    const [, twice] = kept;
    assert.ok(twice);
    await assert.rejects(scene.submit(twice));
    assert.equal((await budgetOf(wallet, made.agent)).limit, '0.6');
  });

  it('a relayer that claims to have submitted it is awaited, and then reported', async () => {
    const wallet = await scene.account('claimed');
    const made = await scene.agentsOf(wallet).grant({ ...limits, expires: expires() });
    const claiming = scene.agentsOf(wallet, {
      submit: async () => 'ab'.repeat(32),
      sleep: async () => undefined,
    });
    const changed = claiming.topUp(made.agent, { ...limits, budget: '4' });
    await assert.rejects(changed, { code: 'change_not_seen' });
    assert.equal((await budgetOf(wallet, made.agent)).limit, '0.35');
  });

  it('the gateway shows the limits on the ledger, not the generated ones', async () => {
    const wallet = await scene.account('shown');
    const agents = scene.agentsOf(wallet);
    const made = await agents.grant({ ...limits, expires: expires() });
    const titles = async () => {
      const url = `${scene.stack.facilitator.url}/policies/wallets/${wallet.id}`;
      const { policies } = (await (await fetch(url)).json()) as {
        policies: { policy: { summary: { title: string } } }[];
      };
      return policies.map(({ policy }) => policy.summary.title);
    };
    assert.deepEqual(await titles(), ['At most 0.35 USDC in 24 hours']);
    const next = {
      ...limits,
      budget: '2',
      window: 'week',
      sliding: true,
      maxPayments: 20,
    } as const;
    await agents.topUp(made.agent, next);
    assert.deepEqual(await titles(), ['At most 2 USDC in any 7 days, in at most 20 payments']);
  });

  it('two assets are changed together, in separate contracts, with one prompt', async () => {
    const wallet = await scene.account('two assets');
    const agents = scene.agentsOf(wallet);
    const XLM = 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC';
    const both = { ...limits, assets: [USDC, XLM] };
    const made = await agents.grant({ ...both, expires: expires() });
    const { prompts } = wallet.owner;
    const changed = await agents.topUp(made.agent, { ...both, budget: '3', sliding: true });
    assert.equal(wallet.owner.prompts - prompts, 1);
    assert.ok(changed.policies.every((policy) => !made.policies.includes(policy)));
    const [state] = await agents.list([made.agent]);
    assert.deepEqual(
      state?.budgets.map(({ limit, sliding }) => [limit, sliding]),
      [
        ['3', true],
        ['3', true],
      ],
    );
  });

  const earlier = [
    ['0.3.0', EARLIER_MODULES, []],
    ['the builds after it', FIXED_LIMIT_MODULES, [none, none]],
  ] as const;
  for (const [version, modules, narrow] of earlier) {
    it(`a policy of ${version} is read, enforced, and replaced with one whose limits can change`, async () => {
      const wallet = await scene.account(`policy of ${version}`, modules.account);
      const old = await scene.chain.deploy(modules.spendingLimit, [
        ...[address(wallet.id), address(USDC), none, toI128(1_500_000n)],
        ...[xdr.ScVal.scvU64(86_400n), ...narrow],
      ]);
      await wallet.attach(old);
      await wallet.grant([USDC], [old]);
      const { agent } = wallet;
      const pay = scene.payAs(wallet, agent.secret);
      assert.equal((await pay(goods)).status, 200);
      await assert.rejects(pay(goods), refusedAs(1));
      const before = await budgetOf(wallet, agent.address);
      assert.deepEqual(
        [before.limit, before.left, before.sliding, before.paymentsLeft],
        ['0.15', '0.05', false, undefined],
      );
      const agents = scene.agentsOf(wallet);
      const replaced = await agents.topUp(agent.address, { ...limits, maxPayments: 2 });
      assert.notEqual(replaced.policies[0], old);
      const { prompts } = wallet.owner;
      assert.equal((await pay(goods)).status, 200);
      const changed = await agents.topUp(agent.address, { ...limits, budget: '0.2' });
      assert.deepEqual(changed.policies, replaced.policies);
      assert.equal(wallet.owner.prompts - prompts, 1);
      assert.equal((await pay(goods)).status, 200);
      await assert.rejects(pay(goods), refusedAs(1));
    });
  }
});
