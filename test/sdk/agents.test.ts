import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StrKey, xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import { toSigner } from '../../src/protocol/smartAccount/index.ts';
import { readScAddress, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  CannotPayError,
  createPolicyClient,
  createWalletPolicies,
  ownerAttach,
  type PolicyDefinition,
  PolicyMismatchError,
  passkeySigner,
  type SubmitCall,
  type WalletAgentsOptions,
} from '../../src/sdk/index.ts';
import type { AgentWallet } from '../policies/support/agentWallet.ts';
import type { Chain } from '../policies/support/chain.ts';
import { EARLIER_MODULES, MODULES } from '../policies/support/contractModules.ts';
import { openTestSeller, type TestSeller } from '../policies/support/seller.ts';
import { openSeller } from '../support/accounts.ts';
import type { LocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentScene, address, DAY } from './support/agentScene.ts';

describe('[C7] [S8] An agent’s budget, with the SDK alone', () => {
  let scene: AgentScene;
  let stack: LocalStack;
  let chain: Chain;
  let seller: TestSeller;
  let payTo: TestKey['address'];
  before(async () => {
    scene = await AgentScene.open();
    ({ stack, chain, seller, payTo } = scene);
  });
  after(() => scene?.close());

  const account = (...args: Parameters<AgentScene['account']>) => scene.account(...args);
  const submit = (call: Parameters<SubmitCall>[0]) => scene.submit(call);
  const agentsOf = (...args: Parameters<AgentScene['agentsOf']>) => scene.agentsOf(...args);
  const payAs = (...args: Parameters<AgentScene['payAs']>) => scene.payAs(...args);

  const limits = { budget: '0.25', window: 'day', assets: [USDC] } as const;
  const expires = () => new Date(Date.now() + 7 * DAY);

  it('is granted, spent, refused by the ledger, shown, rotated, topped up and revoked', async () => {
    const wallet = await account('agents');
    const agents = agentsOf(wallet);
    const shown: unknown[] = [];
    const granting = agentsOf(wallet, { confirm: (plan) => void shown.push(plan) });
    const made = await granting.grant({ ...limits, expires: expires() });
    const [plan] = shown as { policies: { limit: bigint; asset: string }[] }[];
    assert.deepEqual([plan?.policies[0]?.limit, plan?.policies[0]?.asset], [2_500_000n, USDC]);

    const pay = payAs(wallet, made.secret);
    const goods = `${seller.url}/paid`;
    assert.equal((await pay(goods)).status, 200);
    assert.equal((await pay(goods)).status, 200);
    await assert.rejects(pay(goods), { code: 'cannot_pay', reason: 'policy_refused' });
    const [state] = await agents.list([made.agent]);
    assert.equal(state?.state, 'active');
    const [budget] = state?.budgets ?? [];
    assert.deepEqual([budget?.limit, budget?.spent, budget?.left], ['0.25', '0.2', '0.05']);

    const next = await agents.rotate(made.agent);
    await assert.rejects(pay(goods), { code: 'cannot_pay' });
    const again = payAs(wallet, next.secret);
    await assert.rejects(again(goods), { reason: 'policy_refused' });
    // What was spent stays spent.
    await agents.topUp(next.agent, { ...limits, budget: '0.45' });
    for (let call = 0; call < 2; call++) assert.equal((await again(goods)).status, 200);
    await assert.rejects(again(goods), { reason: 'policy_refused' });

    await agents.revoke(next.agent);
    await assert.rejects(again(goods), { code: 'cannot_pay' });
    const states = await agents.list([made.agent, next.agent]);
    assert.deepEqual(
      states.map(({ state }) => state),
      ['revoked', 'revoked'],
    );
    assert.deepEqual(await chain.ask(wallet.id, 'policies'), []);
  });

  /** How often the owner's passkey is asked for during a budget's life, a number for each step. */
  async function promptsOf(wallet: AgentWallet): Promise<readonly number[]> {
    const agents = agentsOf(wallet);
    const prompts: number[] = [];
    const counting = async <T>(step: Promise<T>): Promise<T> => {
      const before = wallet.owner.prompts;
      const done = await step;
      prompts.push(wallet.owner.prompts - before);
      return done;
    };
    const goods = `${seller.url}/paid`;
    const made = await counting(agents.grant({ ...limits, expires: expires() }));
    assert.equal((await payAs(wallet, made.secret)(goods)).status, 200);
    const next = await counting(agents.rotate(made.agent));
    await counting(agents.topUp(next.agent, { ...limits, budget: '0.3' }));
    assert.equal((await payAs(wallet, next.secret)(goods)).status, 200);
    await counting(agents.revoke(next.agent));
    await assert.rejects(payAs(wallet, next.secret)(goods), { code: 'cannot_pay' });
    assert.deepEqual(await chain.ask(wallet.id, 'policies'), []);
    return prompts;
  }

  it('[C7] a grant, a rotation, other limits and a revocation take one prompt of the passkey each', async () => {
    assert.deepEqual(await promptsOf(await account('prompts')), [1, 1, 1, 1]);
  });

  it('a wallet of version 0.3.0 has budgets too, with a prompt for each signer', async () => {
    const wallet = await account('earlier', EARLIER_MODULES.account);
    assert.deepEqual(await promptsOf(wallet), [2, 2, 1, 2]);
  });

  it('a wallet of version 0.3.0 keeps its policies when it is upgraded, and then takes one prompt', async () => {
    const wallet = await account('upgraded', EARLIER_MODULES.account);
    const limit = await chain.deploy(EARLIER_MODULES.spendingLimit, [
      address(wallet.id),
      address(USDC),
      xdr.ScVal.scvVoid(),
      toI128(2_000_000n),
      xdr.ScVal.scvU64(86_400n),
    ]);
    await wallet.attach(limit);
    await wallet.grant([USDC], [limit]);
    const { agent } = wallet;
    const left = async () => (await agentsOf(wallet).list([agent.address]))[0]?.budgets[0]?.left;
    assert.equal(await left(), '0.2');

    await chain.upload(MODULES.account.wasm);
    const module = xdr.ScVal.scvBytes(MODULES.account.hash);
    await chain.call(wallet.id, 'upgrade', [module], wallet.byOwner);
    const pay = payAs(wallet, agent.secret);
    assert.equal((await pay(`${seller.url}/paid`)).status, 200);
    assert.equal(await left(), '0.1');
    assert.deepEqual(await chain.ask(wallet.id, 'policies'), [limit]);
    const { prompts } = wallet.owner;
    await agentsOf(wallet).revoke(agent.address);
    assert.equal(wallet.owner.prompts - prompts, 1);
    assert.deepEqual(await promptsOf(wallet), [1, 1, 1, 1]);
  });

  it('[C1] policies that have ended make room for others', async () => {
    const wallet = await account('slots');
    const agents = agentsOf(wallet);
    const expirationLedger = (await chain.latestLedger()) + 1_000;
    const ending = async (storage: 'Persistent' | 'Temporary') => {
      const policy = await wallet.limit(undefined, 1n, 60n);
      const key = { kind: 'policy', policy } as const;
      return toSigner({ key, grants: new Map(), expirationLedger, storage });
    };
    const added: xdr.ScVal[] = [];
    for (const at of [0, 1, 2, 3, 4]) added.push(await ending(at < 4 ? 'Temporary' : 'Persistent'));
    const change = [xdr.ScVal.scvVec([]), xdr.ScVal.scvVec(added)];
    await chain.call(wallet.id, 'change_signers', change, wallet.byOwner);
    const grant = () => agents.grant({ ...limits, expires: expires() });
    await assert.rejects(grant(), (error) => {
      assert.ok(error instanceof CannotPayError);
      assert.match(error.detail, /Error\(Contract, #105\)/);
      return true;
    });
    await chain.passLedgers(1_001);
    const { secret } = await grant();
    assert.equal((await payAs(wallet, secret)(`${seller.url}/paid`)).status, 200);
    const listed = await chain.ask(wallet.id, 'policies');
    assert.ok(Array.isArray(listed) && listed.length === 1);
  });

  it('one payment stays within its limit and goes to the agreed recipient: the ledger refuses it', async () => {
    const wallet = await account('narrow');
    const agents = agentsOf(wallet);
    const stranger = await openSeller(stack);
    const [dear, other] = await Promise.all([
      openTestSeller(stack.facilitator.url, payTo, 1_500_001n),
      openTestSeller(stack.facilitator.url, stranger.address, 1_000_000n),
    ]);
    try {
      const narrow = { ...limits, budget: '1', perPayment: '0.15', recipients: [payTo] } as const;
      const made = await agents.grant({ ...narrow, expires: expires() });
      const pay = payAs(wallet, made.secret);
      assert.equal((await pay(`${seller.url}/paid`)).status, 200);
      const refusedAs = (words: RegExp) => (error: unknown) => {
        assert.ok(error instanceof CannotPayError);
        assert.equal(error.reason, 'policy_refused');
        assert.match(error.message + error.detail, words);
        return true;
      };
      await assert.rejects(pay(`${dear.url}/paid`), refusedAs(/#2\b/));
      await assert.rejects(pay(`${other.url}/paid`), refusedAs(/#3\b/));
      const [state] = await agents.list([made.agent]);
      const [budget] = state?.budgets ?? [];
      assert.deepEqual(
        [budget?.spent, budget?.perPayment, budget?.recipients, budget?.window],
        ['0.1', '0.15', [payTo], 86_400n],
      );
      // Limits are replaced as a whole: without a list anybody is paid.
      const { prompts } = wallet.owner;
      await agents.topUp(made.agent, { ...limits, budget: '1', window: 'week' });
      assert.equal(wallet.owner.prompts - prompts, 1);
      assert.equal((await pay(`${dear.url}/paid`)).status, 200);
      assert.equal((await pay(`${other.url}/paid`)).status, 200);
    } finally {
      await Promise.all([dear.close(), other.close()]);
    }
  });

  it('a budget lasts a day, a week or a month', async () => {
    const wallet = await account('windows');
    const shown: bigint[] = [];
    const agents = agentsOf(wallet, {
      confirm: ({ policies: [policy] }) => {
        if (policy?.type === 'spending_limit') shown.push(policy.window);
      },
    });
    const { agent, secret } = await agents.grant({ ...limits, window: 'week', expires: expires() });
    const pay = payAs(wallet, secret);
    const goods = `${seller.url}/paid`;
    for (let call = 0; call < 2; call++) assert.equal((await pay(goods)).status, 200);
    await assert.rejects(pay(goods), { reason: 'policy_refused' });
    await agents.topUp(agent, { ...limits, budget: '0.35', window: 'month' });
    assert.equal((await pay(goods)).status, 200);
    assert.deepEqual(shown, [604_800n, 2_592_000n]);
  });

  it('two agents with the same budget do not share it', async () => {
    const wallet = await account('two agents');
    const agents = agentsOf(wallet);
    const first = await agents.grant({ ...limits, budget: '0.1', expires: expires() });
    const second = await agents.grant({ ...limits, budget: '0.1', expires: expires() });
    for (const { secret } of [first, second]) {
      assert.equal((await payAs(wallet, secret)(`${seller.url}/paid`)).status, 200);
    }
  });

  describe('[S8] A lying gateway is refused with a message, and nobody is prompted', () => {
    let wallet: AgentWallet;
    let other: AgentWallet;
    before(async () => {
      wallet = await account('lied to');
      other = await account('another');
    });

    const none = xdr.ScVal.scvVoid();
    const limitArgs = (
      of: ContractAddress,
      amount = 2_500_000n,
      window = 86_400n,
      [most, list]: readonly [xdr.ScVal, xdr.ScVal] = [none, none],
    ) => [
      address(of),
      address(USDC),
      xdr.ScVal.scvVoid(),
      toI128(amount),
      xdr.ScVal.scvU64(window),
      most,
      list,
      none,
      xdr.ScVal.scvBool(false),
    ];
    const limitOf = (...args: Parameters<typeof limitArgs>) =>
      chain.deploy(MODULES.spendingLimit, limitArgs(...args));

    const client = () =>
      createPolicyClient({ apiUrl: stack.facilitator.url, network: STELLAR_TESTNET });

    /** A gateway that always answers that it deployed this. */
    const deploys = (contractId: string) => ({
      ...client(),
      deployInstance: async (id: string) => ({ id, contractId }) as never,
    });

    async function refuses(options: Partial<WalletAgentsOptions>, words: RegExp): Promise<void> {
      const { prompts } = wallet.owner;
      const submitted: unknown[] = [];
      const agents = agentsOf(wallet, {
        submit: async (call) => {
          submitted.push(call);
          return submit(call);
        },
        ...options,
      });
      await assert.rejects(agents.grant({ ...limits, expires: expires() }), (error) => {
        assert.ok(error instanceof PolicyMismatchError, `${error}`);
        assert.match(error.message, words);
        assert.match(error.message, /Nothing was signed/);
        return true;
      });
      assert.deepEqual([submitted, wallet.owner.prompts], [[], prompts]);
      assert.deepEqual(await chain.ask(wallet.id, 'policies'), []);
    }

    it('wrong address: a policy with identical terms that somebody else deployed', async () => {
      const twin = await limitOf(wallet.id);
      await refuses(
        { client: deploys(twin) },
        /the address of what was asked for is C[A-Z2-7]{55}/,
      );
    });

    it('wrong address: the policy of another key, so that two keys would share a limit', async () => {
      const gateway = client();
      const definition = {
        version: '1',
        type: 'spending_limit',
        owners: [wallet.id],
        spendingLimits: { daily: [{ asset: USDC, amount: limits.budget }] },
      } as const;
      const { id } = await gateway.generate({ ...definition, agent: testKey('another').address });
      const { contractId } = await gateway.deployInstance(id);
      await refuses({ client: deploys(contractId) }, /the address of what was asked for is C/);
    });

    it('wrong address: no contract exists there', async () => {
      const nowhere = StrKey.encodeContract(Buffer.alloc(32));
      await refuses({ client: deploys(nowhere) }, /there is no such contract/);
      await refuses({ client: deploys('nowhere') }, /it is not a contract/);
    });

    it('wrong deployer: another account than the known one, or none', async () => {
      const known = testKey('a deployer').address;
      await refuses(
        { deployer: known },
        new RegExp(`deployed it from G[A-Z2-7]{55}, not from ${known}`),
      );
      const silent = {
        ...client(),
        async generate(definition: PolicyDefinition) {
          const { contract, ...generated } = await client().generate(definition);
          const { deployer: _, ...rest } = contract ?? assert.fail();
          return { ...generated, contract: rest };
        },
      };
      await refuses({ client: silent }, /does not report which account deployed it/);
    });

    it('wrong module: an account, an asset, or another policy', async () => {
      await refuses({ client: deploys(other.id) }, /it is not configured as a policy/);
      await refuses({ client: deploys(USDC) }, /it is not configured as a policy|module/);
      const args = [address(wallet.id), address(USDC)];
      const verified = await chain.deploy(MODULES.verifiedOnly, args);
      await refuses({ client: deploys(verified) }, /it is verified_only, not spending_limit/);
    });

    it('wrong limits: amount, window, maximum for one payment, recipients', async () => {
      const day = 86_400n;
      const wide = await limitOf(wallet.id, 100_000_000n);
      await refuses({ client: deploys(wide) }, /its limit is 10, not 0\.25/);
      const short = await limitOf(wallet.id, 2_500_000n, 1n);
      await refuses({ client: deploys(short) }, /its window in seconds is 1/);
      const most = await limitOf(wallet.id, 2_500_000n, day, [toI128(2_500_000n), none]);
      await refuses({ client: deploys(most) }, /its maximum per payment is 0\.25, not none/);
      const list = xdr.ScVal.scvVec([address(payTo)]);
      const paying = await limitOf(wallet.id, 2_500_000n, day, [none, list]);
      const words = /its list of recipients is G[A-Z2-7]{55}, not none/;
      await refuses({ client: deploys(paying) }, words);
    });

    it('another wallet', async () => {
      await refuses({ client: deploys(await limitOf(other.id)) }, /its wallet is C/);
    });

    it('extra sub-invocations: calls that others nest below the call are not signed', async () => {
      const theft = new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
          new xdr.InvokeContractArgs({
            contractAddress: toScAddress(USDC as ContractAddress),
            functionName: 'transfer',
            args: [address(other.id), address(payTo), toI128(1n)],
          }),
        ),
        subInvocations: [],
      });
      type Answer = { result?: { results?: { auth?: string[] }[] } };
      let nested = 0;
      // The server that answers for the ledger reports a call below the simulated one.
      const nesting: typeof globalThis.fetch = async (url, init) => {
        const response = await fetch(url, init);
        if (!`${init?.body}`.includes('simulateTransaction')) return response;
        const answer = (await response.json()) as Answer;
        for (const result of answer.result?.results ?? []) {
          result.auth = (result.auth ?? []).map((text: string) => {
            const entry = xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64');
            entry.rootInvocation.subInvocations.push(theft);
            nested += 1;
            return entry.toXdr('base64');
          });
        }
        return Response.json(answer);
      };
      const wallet = await account('nested');
      const signed: string[][] = [];
      const agents = agentsOf(wallet, {
        fetch: nesting,
        submit: async (call) => {
          for (const text of call.auth) {
            const { rootInvocation } = xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64');
            assert.deepEqual(rootInvocation.subInvocations, []);
            const { function: called } = rootInvocation;
            assert.ok(called.type === 'sorobanAuthorizedFunctionTypeContractFn');
            const { contractAddress, functionName } = called.contractFn;
            signed.push([readScAddress(contractAddress) ?? '', functionName.toString()]);
          }
          return submit(call);
        },
      });
      const { prompts } = wallet.owner;
      const { agent, policies } = await agents.grant({ ...limits, expires: expires() });
      assert.ok(nested > 0);
      assert.deepEqual(signed, [[wallet.id, 'change_signers']]);
      await agents.topUp(agent, { ...limits, budget: '0.3' });
      assert.deepEqual(signed[1], [policies[0], 'change_limits']);
      assert.equal(wallet.owner.prompts - prompts, 2);
    });
  });

  it('[C6] [S8] all four templates are deployed with one signature each, and nothing below it', async () => {
    const wallet = await account('templates');
    const { owner, id } = wallet;
    const signer = passkeySigner(id, owner.keyId, (challenge) => owner.assert(challenge));
    const calls: string[] = [];
    const attach = ownerAttach({
      owner: signer,
      rpcUrl: stack.rpcUrl,
      async submit(call) {
        const entries = call.auth.map((text) =>
          xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64'),
        );
        for (const { rootInvocation } of entries) {
          assert.deepEqual(rootInvocation.subInvocations, []);
          calls.push('signed');
        }
        return submit(call);
      },
    });
    const client = createPolicyClient({ apiUrl: stack.facilitator.url, network: STELLAR_TESTNET });
    const { rpcUrl } = stack;
    const policies = createWalletPolicies({ client, attach, keyId: () => undefined, rpcUrl });
    const common = { version: '1', owners: [id] } as const;
    const key = (name: string) => testKey(name).address;
    const contracts = [USDC];
    const definitions: readonly PolicyDefinition[] = [
      { ...common, type: 'spending_limit', spendingLimits: { dailyXlm: '1' } },
      { ...common, type: 'verified_only', registry: USDC },
      { ...common, type: 'allow_list', signer: key('allowed'), contracts },
      { ...common, type: 'multisig', signer: key('one'), contracts, coSigners: [key('other')] },
    ];
    for (const definition of definitions) {
      const { id: policy } = await policies.generate(definition);
      const { contractId, attachTxHash } = await policies.deploy(policy);
      assert.match(attachTxHash, /^[0-9a-f]{64}$/);
      const own = definition.type === 'multisig' || definition.type === 'allow_list';
      assert.equal(contractId === null, own);
    }
    assert.deepEqual([calls.length, owner.prompts], [4, 4]);
  });

  it('an invalid grant is refused before anything is created', async () => {
    const wallet = await account('refused');
    const agents = agentsOf(wallet);
    const good = { ...limits, expires: expires() };
    for (const wrong of [
      { ...good, assets: [] },
      { ...good, assets: [USDC, USDC] },
      { ...good, assets: ['USDC'] },
      { ...good, budget: 5 as never },
      { ...good, window: 'year' as never },
      { ...good, window: 'toString' as never },
      { ...good, perPayment: 1 as never },
      { ...good, recipients: [] },
      { ...good, recipients: ['somebody'] },
      { ...good, expires: new Date(0) },
      { ...good, key: 'nobody' },
    ]) {
      await assert.rejects(agents.grant(wrong), { code: 'not_configured' });
    }
    for (const wrong of [
      { ...good, budget: '0' },
      { ...good, perPayment: '0' },
      { ...good, perPayment: '0.26' },
      { ...good, recipients: [wallet.id] },
      { ...good, recipients: [payTo, payTo] },
    ]) {
      await assert.rejects(agents.grant(wrong), { code: 'gateway' });
    }
    await assert.rejects(agents.revoke(scene.funder.address), { code: 'not_configured' });
    assert.equal(wallet.owner.prompts, 0);
  });
});
