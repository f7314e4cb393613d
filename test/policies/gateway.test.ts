import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, encodeStrKey } from '../../src/protocol/index.ts';
import {
  controlInvocation,
  type DeployedInstance,
  type GeneratedPolicy,
  type PolicySimulation,
  type PolicyTemplate,
  type ValidationResult,
} from '../../src/protocol/policies/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { balancesOf, openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { freshNonce } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain, signEntry } from './support/chain.ts';
import { tokenModule } from './support/tokenModule.ts';

interface Problem {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly problems?: readonly { readonly path: string; readonly code: string }[];
}

describe('Policy gateway', () => {
  let stack: LocalStack;
  let chain: Chain;

  before(async () => {
    stack = await startLocalStack();
    chain = new Chain(stack, await openPayer(stack));
  });
  after(() => stack.close());

  async function ask<T>(path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const response = await fetch(stack.facilitator.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async function post<T>(path: string, body: unknown = {}): Promise<T> {
    const answer = await ask<T>(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  async function refused(path: string, body: unknown = {}): Promise<Problem> {
    const { status, body: problem } = await ask<Problem>(path, body);
    assert.equal(problem.status, status);
    assert.ok(problem.title.length > 0);
    return problem;
  }

  /** The definition of the specification. */
  const daily = (wallet: string, dailyXlm: string) => ({
    version: '1',
    type: 'spending_limit',
    owners: [wallet],
    spendingLimits: { dailyXlm },
  });

  /** The wallet's signature over the call that shows control. */
  async function proofOf(wallet: AgentWallet, policy: string, sign = wallet.byOwner) {
    const call = controlInvocation(wallet.id, policy as ContractAddress);
    const root = new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
      subInvocations: [],
    });
    const credentials = new xdr.SorobanAddressCredentials({
      address: toScAddress(wallet.id),
      nonce: freshNonce(),
      signatureExpirationLedger: (await chain.latestLedger()) + 50,
      signature: xdr.ScVal.scvVoid(),
    });
    const entry = await signEntry(credentials, root, chain.networkId, sign);
    return entry.toXdr('base64');
  }

  it('[spec: Policy gateway/GET /policies/templates] [spec: Policy objects/Template] [spec: Policy gateway/Signer limits] lists templates that claim no more enforcement than they have', async () => {
    const { body } = await ask<{ templates: PolicyTemplate[] }>('/policies/templates');
    const kinds = body.templates.map(({ type, enforcement }) => [type, enforcement.kind]);
    assert.deepEqual(kinds, [
      ['spending_limit', 'policy-contract'],
      ['verified_only', 'policy-contract'],
      ['multisig', 'signer-limits'],
      ['allow_list', 'signer-limits'],
    ]);
    for (const { enforcementLabel, example, type } of body.templates) {
      assert.match(
        enforcementLabel,
        type === 'multisig' || type === 'allow_list' ? /without a policy contract/ : /__check_auth/,
      );
      // The example there is valid.
      assert.equal((await post<ValidationResult>('/policies/validate', example)).valid, true);
    }
  });

  it('[spec: Policy gateway/POST /policies/validate] returns all problems at once, each with its location', async () => {
    const answer = await post<ValidationResult>('/policies/validate', {
      version: '2',
      type: 'spending_limit',
      owners: ['GABC'],
      limit: 1,
      spendingLimits: { dailyXlm: '1e3', daily: [{ asset: 'USDC', amount: '0' }] },
    });
    assert.equal(answer.valid, false);
    assert.deepEqual(
      answer.problems.map(({ path, code }) => [path, code]),
      [
        ['/limit', 'unknown_member'],
        ['/version', 'unsupported_version'],
        ['/owners/0', 'not_a_contract'],
        ['/spendingLimits', 'not_one_limit'],
        ['/spendingLimits/dailyXlm', 'malformed_amount'],
        ['/spendingLimits/daily/0/asset', 'not_a_contract'],
        ['/spendingLimits/daily/0/amount', 'amount_not_positive'],
      ],
    );
  });

  it('[spec: What the service does/6] [spec: Policy lifecycle/Generate] [spec: Policy lifecycle/Simulate] [spec: Policy lifecycle/Deploy instance] [spec: Policy lifecycle/Record] [spec: Policy gateway/POST /policies/generate] [spec: Policy gateway/POST /policies/:id/simulate] [spec: Policy gateway/POST /policies/:id/deploy-instance] [spec: Policy gateway/POST /policies/deploy] [spec: Policy objects/Generated] generate, simulate, deploy, attach, record: one prompt, and the limit holds', async (t) => {
    const wallet = await AgentWallet.open(chain, 'lifecycle');
    const asked = daily(wallet.id, '100.5');
    const policy = await post<GeneratedPolicy>('/policies/generate', asked);
    assert.ok(policy.contract);
    const { contractId } = policy.contract;
    assert.equal(policy.wallet, wallet.id);
    assert.deepEqual(
      policy.contract.constructorArguments.map(({ name, value }) => [name, value]),
      [
        ['wallet', wallet.id],
        ['token', Asset.native().contractId(stack.ledger.passphrase)],
        ['upto', null],
        ['limit', '1005000000'],
        ['window', '86400'],
        ['per_payment', null],
        ['recipients', null],
        ['payments', null],
        ['sliding', 'false'],
      ],
    );
    assert.ok(
      policy.summary.warnings.some((warning) => /up to 201 XLM can be spent/.test(warning)),
    );
    // A repeated request does not make a second one.
    assert.equal((await post<GeneratedPolicy>('/policies/generate', asked)).id, policy.id);

    const sponsor = async () =>
      (await balancesOf(stack, stack.ledger.accounts.sponsor.address)).xlm;
    const before = await sponsor();
    const simulated = await post<PolicySimulation>(`/policies/${policy.id}/simulate`);
    assert.equal(simulated.deployable, true, JSON.stringify(simulated));
    assert.ok(simulated.cost && simulated.resources);
    t.diagnostic(`deployment: ${JSON.stringify({ ...simulated.cost, ...simulated.resources })}`);
    assert.equal(await sponsor(), before);

    const missing = await refused(`/policies/${policy.id}/deploy-instance`);
    assert.equal(missing.code, 'proof_required');
    assert.equal(missing.status, 401);
    const proof = await proofOf(wallet, contractId);
    // Many at once are one.
    const path = `/policies/${policy.id}/deploy-instance`;
    const deployed = await Promise.all(
      [1, 2, 3].map(() => post<DeployedInstance>(path, { proof })),
    );
    assert.deepEqual(new Set(deployed.map((answer) => answer.contractId)), new Set([contractId]));
    const charged = before - (await sponsor());
    assert.ok(charged <= BigInt(simulated.cost.total), `${charged} of ${simulated.cost.total}`);
    assert.deepEqual(await post<DeployedInstance>(path), deployed[0]);

    const early = { id: policy.id, attachTxHash: 'ab'.repeat(32) };
    assert.equal((await refused('/policies/deploy', early)).code, 'attach_not_seen');
    const prompts = wallet.owner.prompts;
    const { hash: attachTxHash } = await wallet.attach(contractId as ContractAddress);
    assert.equal(wallet.owner.prompts - prompts, 1);
    const recorded = await post('/policies/deploy', { id: policy.id, attachTxHash });
    const expected = { id: policy.id, state: 'recorded', contractId, attachTxHash };
    assert.deepEqual(recorded, expected);

    assert.equal((await chain.budget(contractId)).remaining, 1_005_000_000n);
  });

  it('[spec: Policy lifecycle/Record] accepts an attach only if wallet, policy and transaction agree', async () => {
    const wallet = await AgentWallet.open(chain, 'records');
    const [first, second] = await Promise.all(
      ['1', '2'].map((cap) => post<GeneratedPolicy>('/policies/generate', daily(wallet.id, cap))),
    );
    assert.ok(first?.contract && second?.contract);
    const record = (id: string, attachTxHash: string) => ({ id, attachTxHash });
    assert.equal(
      (await refused('/policies/deploy', record(first.id, 'ab'.repeat(32)))).code,
      'not_deployed',
    );
    for (const { id, contract } of [first, second]) {
      const proof = await proofOf(wallet, contract?.contractId ?? '');
      await post(`/policies/${id}/deploy-instance`, { proof });
    }
    const { hash } = await wallet.attach(first.contract.contractId as ContractAddress);
    assert.equal(
      (await refused('/policies/deploy', record(second.id, hash))).code,
      'attach_mismatch',
    );
    assert.equal(
      (await refused('/policies/deploy', record(first.id, 'no'))).code,
      'invalid_request',
    );
    await wallet.detach(first.contract.contractId as ContractAddress);
    const late = await refused('/policies/deploy', record(first.id, hash));
    assert.equal(late.code, 'attach_mismatch');
  });

  it('spends the sponsor’s money only for the owner of the wallet', async () => {
    const wallet = await AgentWallet.open(chain, 'proofs');
    const stranger = await AgentWallet.open(chain, 'stranger');
    const policy = await post<GeneratedPolicy>('/policies/generate', daily(wallet.id, '1'));
    const other = await post<GeneratedPolicy>('/policies/generate', daily(wallet.id, '2'));
    const contract = policy.contract?.contractId ?? '';
    const path = `/policies/${policy.id}/deploy-instance`;
    const code = async (proof: string) => (await refused(path, { proof })).code;
    assert.equal(await code('AAAA'), 'proof_invalid');
    assert.equal(await code(await proofOf(stranger, contract)), 'proof_invalid');
    assert.equal(await code(await proofOf(wallet, contract, stranger.byOwner)), 'proof_invalid');
    assert.equal(
      await code(await proofOf(wallet, other.contract?.contractId ?? '')),
      'proof_invalid',
    );
    // An agent under a spending limit is not an owner.
    const limit = await wallet.limit(undefined, 10n, 60n);
    await wallet.attach(limit);
    await wallet.grant([USDC], [limit]);
    assert.equal(await code(await proofOf(wallet, contract, wallet.byAgent)), 'proof_invalid');
    await post(path, { proof: await proofOf(wallet, contract) });
  });

  it('deploys a contract with a sliding window and a maximum number of payments, and describes it', async () => {
    const wallet = await AgentWallet.open(chain, 'sliding');
    const definition = {
      ...{ version: '1', type: 'spending_limit', owners: [wallet.id] },
      spendingLimits: { weekly: [{ asset: USDC, amount: '2' }] },
      ...{ sliding: true, maxPayments: 5 },
    };
    const generated = await post<GeneratedPolicy>('/policies/generate', definition);
    const { id, contract, summary, enforcementLabel } = generated;
    const argumentOf = (argument: string) =>
      contract?.constructorArguments.find(({ name }) => name === argument)?.value;
    assert.deepEqual([argumentOf('sliding'), argumentOf('payments')], ['true', '5']);
    assert.equal(summary.title, 'At most 2 USDC in any 7 days, in at most 5 payments');
    assert.match(enforcementLabel, /fixed or sliding window.*An owner of the account can change/);
    const { deployable } = await post<PolicySimulation>(`/policies/${id}/simulate`);
    assert.equal(deployable, true);
    const { sliding: _, maxPayments: __, ...fixed } = definition;
    assert.notEqual((await post<GeneratedPolicy>('/policies/generate', fixed)).id, id);
    const wrong = { ...definition, sliding: 'yes', maxPayments: 0 };
    const { problems } = await post<ValidationResult>('/policies/validate', wrong);
    assert.deepEqual(
      problems.map(({ path, code }) => `${path} ${code}`),
      ['/sliding wrong_type', '/maxPayments not_a_count'],
    );
  });

  it('[C3] queries a token’s decimal places, and refuses contracts that are not tokens', async () => {
    const wallet = await AgentWallet.open(chain, 'decimals');
    const asked = (asset: string, amount: string) => ({
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { daily: [{ asset, amount }] },
    });
    const token = await chain.deploy(tokenModule(6));
    const { contract, summary } = await post<GeneratedPolicy>(
      '/policies/generate',
      asked(token, '2.5'),
    );
    const limit = contract?.constructorArguments.find(({ name }) => name === 'limit');
    assert.equal(limit?.value, '2500000');
    assert.equal(summary.title, `At most 2.5 of ${token} in 24 hours`);
    assert.ok(summary.warnings.some((warning) => warning.includes('up to 5 of it can be spent')));
    const problemsOf = async (asset: string, amount: string) => {
      const definition = asked(asset, amount);
      const { problems } = await post<ValidationResult>('/policies/validate', definition);
      const generated = await refused('/policies/generate', definition);
      assert.equal(generated.code, 'invalid_definition');
      const codes = problems.map(({ code }) => code);
      assert.deepEqual(
        generated.problems?.map(({ code }) => code),
        codes,
      );
      return codes;
    };
    assert.deepEqual(await problemsOf(token, '0.0000001'), ['malformed_amount']);
    // A contract that has no such function, one that does not exist, and one whose answer no amount fits.
    assert.deepEqual(await problemsOf(wallet.id, '1'), ['not_a_token']);
    const nowhere = encodeStrKey('contract', new Uint8Array(32).fill(9));
    assert.deepEqual(await problemsOf(nowhere, '1'), ['not_a_token']);
    assert.deepEqual(await problemsOf(await chain.deploy(tokenModule(39)), '1'), ['not_a_token']);
  });

  it('caps any SEP-41 token, and the agent’s payments from a wallet attached through it', async () => {
    const wallet = await AgentWallet.open(chain, 'usdc');
    const policy = await post<GeneratedPolicy>('/policies/generate', {
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { daily: [{ asset: USDC, amount: '0.5' }] },
    });
    const contractId = (policy.contract?.contractId ?? '') as ContractAddress;
    const proof = await proofOf(wallet, contractId);
    await post(`/policies/${policy.id}/deploy-instance`, { proof });
    await wallet.attach(contractId);
    await wallet.grant(policy.grantOn as ContractAddress[], [contractId]);
    const funder = await openPayer(stack);
    const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));
    const funding = [address(funder.address), address(wallet.id), toI128(20_000_000n)];
    await new Chain(stack, funder).call(USDC, 'transfer', funding);
    const seller = await openSeller(stack);
    const settle = async (amount: bigint) =>
      (
        await ask<{ success: boolean; reason?: string }>(
          '/settle',
          await wallet.exactPayment(seller.address, amount),
        )
      ).body;
    assert.equal((await settle(5_000_000n)).success, true);
    const over = await settle(1n);
    assert.equal(over.success, false);
    assert.equal(over.reason, 'spending_policy_refused');
  });

  it('limits deployments of one wallet in a day', async () => {
    const wallet = await AgentWallet.open(chain, 'many');
    for (let cap = 1; cap <= 6; cap++) {
      const policy = await post<GeneratedPolicy>('/policies/generate', daily(wallet.id, `${cap}`));
      const proof = await proofOf(wallet, policy.contract?.contractId ?? '');
      const path = `/policies/${policy.id}/deploy-instance`;
      if (cap <= 5) await post(path, { proof });
      else assert.equal((await refused(path, { proof })).code, 'wallet_rate_limited');
    }
  });

  it('[spec: Policy gateway/Signer limits] deploys nothing for policies that the account itself enforces', async () => {
    const wallet = await AgentWallet.open(chain, 'native');
    const key = await openAccount(stack);
    const second = await openAccount(stack);
    const policy = await post<GeneratedPolicy>('/policies/generate', {
      version: '1',
      type: 'multisig',
      owners: [wallet.id],
      signer: key.address,
      contracts: [USDC],
      coSigners: [second.address],
    });
    assert.equal(policy.contract, null);
    assert.equal(policy.enforcement.kind, 'signer-limits');
    const deployment = await refused(`/policies/${policy.id}/deploy-instance`);
    assert.equal(deployment.code, 'nothing_to_deploy');
    // What is to be signed is what the account takes.
    const signer = xdr.ScVal.fromXdr(policy.attach.signerXdr, 'base64');
    await chain.call(wallet.id, policy.attach.function, [signer], wallet.byOwner);
  });

  it('is described by the OpenAPI document, route for route', async () => {
    const { body } = await ask<{ paths: Record<string, Record<string, { responses: object }>> }>(
      '/openapi.json',
    );
    for (const [path, method] of [
      ['/policies/templates', 'get'],
      ['/policies/validate', 'post'],
      ['/policies/generate', 'post'],
      ['/policies/{id}/simulate', 'post'],
      ['/policies/{id}/deploy-instance', 'post'],
      ['/policies/deploy', 'post'],
    ] as const) {
      assert.deepEqual(Object.keys(body.paths[path] ?? {}), [method]);
    }
    const responses = body.paths['/policies/{id}/deploy-instance']?.['post']?.responses ?? {};
    assert.deepEqual(Object.keys(responses), [
      ...['200', '400', '401', '403', '404', '409', '413', '422', '429', '502', '503'],
    ]);
    const wrong = await fetch(`${stack.facilitator.url}/policies/generate`);
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'POST']);
    const preflight = await fetch(`${stack.facilitator.url}/policies/generate`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000' },
    });
    const allowed = preflight.headers.get('access-control-allow-origin');
    assert.equal(allowed, 'http://localhost:3000');
  });

  it('answers failures as problem details with stable codes', async () => {
    const response = await fetch(`${stack.facilitator.url}/policies/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"version":',
    });
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.equal(((await response.json()) as Problem).code, 'invalid_json');
    assert.equal((await refused('/policies/generate', {})).code, 'invalid_definition');
    assert.equal((await refused('/policies/pol_0/simulate')).code, 'policy_not_found');
    const large = { padding: 'x'.repeat(40_000) };
    assert.equal((await refused('/policies/validate', large)).code, 'body_too_large');
    // A policy for a wallet that does not exist can be generated, but not deployed.
    const nowhere = daily(encodeStrKey('contract', new Uint8Array(32).fill(9)), '1');
    const { id } = await post<GeneratedPolicy>('/policies/generate', nowhere);
    const simulated = await post<PolicySimulation>(`/policies/${id}/simulate`);
    assert.deepEqual(
      [simulated.deployable, simulated.errors[0]?.code],
      [false, 'wallet_not_found'],
    );
  });
});
