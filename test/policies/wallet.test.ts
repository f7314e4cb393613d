import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StrKey, xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  AttachNotRecordedError,
  agentSigner,
  CannotPayError,
  createPolicyClient,
  createSvcWallet,
  DisallowedAssetError,
  GatewayError,
  InvalidRequirementsError,
  MaxAmountExceededError,
  PoliciesNotConfiguredError,
  type PolicyAttach,
  type PolicyDefinition,
  passkeySigner,
  SettledWithoutResourceError,
  type SvcWalletOptions,
  signControlProof,
  X402NotConfiguredError,
} from '../../src/sdk/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';
import { openTestSeller, type TestSeller } from './support/seller.ts';

const PRICE = 1_000_000n;

/** The account that a transaction is of. */
function sourceOf(envelope: string): string {
  const read = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  assert.ok(read.type === 'envelopeTypeTx');
  const { sourceAccount } = read.v1.tx;
  assert.ok(sourceAccount.type === 'keyTypeEd25519');
  return StrKey.encodeEd25519PublicKey(sourceAccount.ed25519.value);
}

describe('The SDK', () => {
  let stack: LocalStack;
  let chain: Chain;
  let funder: TestKey;
  let payTo: TestKey;
  let seller: TestSeller;

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false });
    funder = await openPayer(stack, 500_000_000n);
    payTo = await openSeller(stack);
    chain = new Chain(stack, funder);
    seller = await openTestSeller(stack.facilitator.url, payTo.address, PRICE);
  });
  after(async () => {
    await seller.close();
    await stack.close();
  });

  async function fundedAccount(name: string): Promise<AgentWallet> {
    const account = await AgentWallet.open(chain, name);
    const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));
    const args = [address(funder.address), address(account.id), toI128(50_000_000n)];
    await chain.call(USDC, 'transfer', args);
    return account;
  }

  /** A wallet handle over an account with a software passkey and an agent's key. */
  function handle(account: AgentWallet, options: Partial<SvcWalletOptions> = {}) {
    const connection = { contractId: account.id as string, keyIdBase64: 'a2V5' };
    return createSvcWallet({
      network: STELLAR_TESTNET,
      appName: 'test',
      kit: {
        createWallet: async () => ({ ...connection, signedTx: '' }),
        connectWallet: async () => connection,
      },
      apiUrl: stack.facilitator.url,
      policyAttach: {
        attachPolicy: (policy) => account.attach(policy as ContractAddress),
      },
      x402: payingAs(account),
      ...options,
    });
  }

  function payingAs(account: AgentWallet) {
    const { agent, id } = account;
    const signer = agentSigner(id, agent.publicKey, (hash) => agent.sign(hash));
    return { signer, rpcUrl: stack.rpcUrl };
  }

  const received = async () => (await balancesOf(stack, payTo.address)).usdc;

  it('[spec: SDK wallet handle/policies.*] [spec: SDK wallet handle/x402.fetch] [spec: Policy objects/Deploy result] [spec: Authentication/Two layers] generates, simulates and deploys with one prompt; then pays within the cap, is refused over it, and pays in the next window', async () => {
    const account = await fundedAccount('sdk');
    const wallet = handle(account);
    assert.deepEqual((await wallet.connect()).address, account.id);
    assert.equal((await wallet.policies.listTemplates()).length, 4);
    const { id, grantOn, summary } = await wallet.policies.generate({
      version: '1',
      type: 'spending_limit',
      owners: [account.id],
      spendingLimits: { daily: [{ asset: USDC, amount: '0.15' }] },
    });
    assert.ok(summary.warnings.length > 0);
    assert.equal((await wallet.policies.simulate(id)).deployable, true);
    const { prompts } = account.owner;
    const { contractId, attachTxHash } = await wallet.policies.deploy(id);
    assert.equal(account.owner.prompts - prompts, 1);
    assert.match(attachTxHash, /^[0-9a-f]{64}$/);
    await account.grant(grantOn as ContractAddress[], [contractId as ContractAddress]);

    const before = await received();
    const paid = await wallet.x402.fetch(`${seller.url}/paid`);
    assert.equal(await paid.text(), 'the goods');
    assert.equal(await received(), before + PRICE);

    await assert.rejects(wallet.x402.fetch(`${seller.url}/paid`), (error) => {
      assert.ok(error instanceof CannotPayError);
      assert.equal(error.reason, 'policy_refused');
      assert.match(error.detail, /exceeds what is left in this window.*#1, wrapped as #110/);
      assert.equal(error.refusal?.policyContract, contractId);
      return true;
    });
    assert.equal(await received(), before + PRICE);

    await chain.pass(86_400);
    assert.equal((await wallet.x402.fetch(`${seller.url}/paid`)).status, 200);
    assert.equal(await received(), before + 2n * PRICE);
  });

  it('[spec: SDK wallet handle/apiUrl] [spec: SDK wallet handle/policyAttach] [spec: SDK errors/Policy API] throws at once without apiUrl, and at deploy() without policyAttach', async () => {
    const account = await AgentWallet.open(chain, 'bare');
    const options = { network: STELLAR_TESTNET, appName: 'test', kit: handle(account) as never };
    assert.throws(() => createSvcWallet(options).policies, PoliciesNotConfiguredError);
    assert.throws(() => createSvcWallet(options).x402, X402NotConfiguredError);
    const unattached = createSvcWallet({ ...options, apiUrl: stack.facilitator.url });
    assert.equal((await unattached.policies.listTemplates()).length, 4);
    await assert.rejects(unattached.policies.deploy('pol_0'), PoliciesNotConfiguredError);
  });

  it('proves control of the wallet if the gateway requires it', async () => {
    const strict = await startLocalStack();
    try {
      const there = new Chain(strict, await openPayer(strict));
      const account = await AgentWallet.open(there, 'proving');
      const { owner } = account;
      const signer = passkeySigner(account.id, owner.keyId, (challenge) => owner.assert(challenge));
      const { rpcUrl } = strict;
      const attachPolicy = (policy: string) => account.attach(policy as ContractAddress);
      const wallet = (policyAttach: PolicyAttach) =>
        handle(account, { apiUrl: strict.facilitator.url, policyAttach, rpcUrl }).policies;
      const definition: PolicyDefinition = {
        version: '1',
        type: 'spending_limit',
        owners: [account.id],
        spendingLimits: { dailyXlm: '1' },
      };
      const { id } = await wallet({ attachPolicy }).generate(definition);
      await assert.rejects(wallet({ attachPolicy }).deploy(id), PoliciesNotConfiguredError);
      await assert.rejects(wallet({ attachPolicy }).deploy(id, definition), (error) => {
        assert.ok(error instanceof GatewayError);
        assert.equal(error.reason, 'proof_required');
        return true;
      });
      const proveControl = (policy: string) => signControlProof(signer, policy, { rpcUrl });
      const { contractId } = await wallet({ attachPolicy, proveControl }).deploy(id, definition);
      assert.equal(owner.prompts, 2);
      assert.deepEqual(await there.ask(account.id, 'policies'), [contractId]);
    } finally {
      await strict.close();
    }
  });

  it('[spec: SDK wallet handle/createPolicyClient] lists templates without a wallet, and returns every problem of a definition', async () => {
    const client = createPolicyClient({ apiUrl: stack.facilitator.url, network: STELLAR_TESTNET });
    assert.equal((await client.listTemplates())[0]?.type, 'spending_limit');
    const definition = { version: '1', type: 'spending_limit', owners: [], spendingLimits: {} };
    await assert.rejects(client.generate(definition as never), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.reason, 'invalid_definition');
      assert.deepEqual(
        error.problems.map(({ path }) => path),
        ['/owners', '/spendingLimits'],
      );
      return true;
    });
    assert.throws(() => createPolicyClient({ apiUrl: 'nowhere', network: STELLAR_TESTNET }));
    assert.throws(() =>
      createPolicyClient({ apiUrl: stack.facilitator.url, network: 'stellar:pubnet' }),
    );
  });

  it('an attach that the gateway did not record is not prompted for again: the error has its hash', async () => {
    const account = await AgentWallet.open(chain, 'unrecorded');
    const broken: typeof fetch = async (input, init) =>
      String(input).endsWith('/policies/deploy')
        ? Response.json({ code: 'attach_mismatch', detail: 'no' }, { status: 422 })
        : fetch(input, init);
    const wallet = handle(account, { fetch: broken });
    const { id } = await wallet.policies.generate({
      version: '1',
      type: 'spending_limit',
      owners: [account.id],
      spendingLimits: { dailyXlm: '1' },
    });
    await assert.rejects(wallet.policies.deploy(id), (error) => {
      assert.ok(error instanceof AttachNotRecordedError);
      assert.match(error.attachTxHash, /^[0-9a-f]{64}$/);
      return true;
    });
  });

  it('[spec: SDK errors/X402NotConfiguredError] [spec: SDK wallet handle/rpcUrl] [spec: Versioning/rpcUrl] checks its options when it is created', async () => {
    const account = await AgentWallet.open(chain, 'options');
    const good = payingAs(account);
    for (const wrong of [
      { rpcUrl: '' },
      { rpcUrl: 'not a url' },
      { rpcUrl: undefined as never },
      { maxAmount: -1n },
      { maxAmount: 5 as never },
      { allowedAssets: ['USDC'] },
      { simulationSourceAccount: account.id },
      { signer: undefined as never },
    ]) {
      assert.throws(
        () => handle(account, { x402: { ...good, ...wrong } }),
        X402NotConfiguredError,
        JSON.stringify(Object.keys(wrong)),
      );
    }
  });

  it('[spec: Authentication/Two layers] [spec: SDK wallet handle/maxAmount] [spec: SDK wallet handle/allowedAssets] refuses before anything is signed: over maxAmount, over the session, in another asset', async () => {
    const account = await fundedAccount('limits');
    await account.grant([USDC], []);
    const good = payingAs(account);
    const paying = (options: object) => handle(account, { x402: { ...good, ...options } }).x402;
    const { presented } = seller;
    const url = `${seller.url}/paid`;
    await assert.rejects(paying({ maxAmount: PRICE - 1n }).fetch(url), MaxAmountExceededError);
    await assert.rejects(paying({ allowedAssets: [OTHER_ASSET] }).fetch(url), DisallowedAssetError);
    assert.equal(seller.presented, presented);
    const session = paying({ sessionCeiling: 2n * PRICE });
    const answers = await Promise.allSettled([1, 2, 3].map(() => session.fetch(url)));
    const refused = answers.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    assert.equal(seller.presented, presented + 2);
  });

  it('[spec: SDK errors/Never twice] never pays twice: the error for a settled payment without a resource has the hash', async () => {
    const account = await fundedAccount('once');
    await account.grant([USDC], []);
    const { fetch: pay } = handle(account).x402;
    const [{ presented }, before] = [seller, await received()];
    seller.resource = (response) => void response.writeHead(500).end();
    await assert.rejects(pay(`${seller.url}/paid`), (error) => {
      assert.ok(error instanceof SettledWithoutResourceError);
      assert.match(error.transaction, /^[0-9a-f]{64}$/);
      assert.equal(error.moneyMoved, 'yes');
      return true;
    });
    // A redirect of what is paid is not followed with the payment.
    seller.resource = (response) => void response.writeHead(302, { location: '/else' }).end();
    await assert.rejects(pay(`${seller.url}/paid`), SettledWithoutResourceError);
    seller.resource = (response) => void response.writeHead(200).end('the goods');
    assert.equal(seller.presented, presented + 2);
    assert.equal(await received(), before + 2n * PRICE);
  });

  it('[spec: POST /verify and POST /settle/Simulation source] simulates from simulationSourceAccount, which neither signs nor is charged', async () => {
    const account = await fundedAccount('source');
    await account.grant([USDC], []);
    const source = await openSeller(stack);
    const sources = new Set<string>();
    const watching: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url === stack.rpcUrl) {
        const asked = (await request.clone().json()) as { params?: { transaction?: string } };
        const text = asked.params?.transaction;
        if (text !== undefined) sources.add(sourceOf(text));
      }
      return fetch(request);
    };
    const x402 = { ...payingAs(account), simulationSourceAccount: source.address, fetch: watching };
    const before = await balancesOf(stack, source.address);
    const paid = await handle(account, { x402 }).x402.fetch(`${seller.url}/paid`);
    assert.equal(paid.status, 200);
    assert.deepEqual([...sources], [source.address]);
    assert.deepEqual(await balancesOf(stack, source.address), before);
  });

  it('follows redirects to the price, and pays at that URL', async () => {
    const account = await fundedAccount('redirects');
    await account.grant([USDC], []);
    const { fetch: pay } = handle(account).x402;
    const answer = await pay(`${seller.url}/moved`);
    assert.equal(await answer.text(), 'the goods');
    const { presented } = seller;
    await assert.rejects(
      pay(`${seller.url}/moved`, { method: 'POST', body: '{}' }),
      InvalidRequirementsError,
    );
    assert.equal(seller.presented, presented);
    const posted = await pay(`${seller.url}/paid`, { method: 'POST', body: '{}' });
    assert.equal(posted.status, 200);
  });
});
