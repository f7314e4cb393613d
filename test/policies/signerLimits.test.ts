import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, XLM_CONTRACT } from '../../src/protocol/index.ts';
import type {
  GeneratedPolicy,
  PasskeyOpened,
  PasskeyPageRequest,
  PasskeyStatus,
  PasskeyTask,
  ReconciledPolicyRecord,
} from '../../src/protocol/policies/index.ts';
import { accountSignature } from '../../src/protocol/smartAccount/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain, type SignHash } from './support/chain.ts';

type Body = Record<string, unknown>;

/** Atomic units of one USDC. */
const ONE = 10_000_000n;
const SECRET = 'the secret of service.json';
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

describe('[spec: Policy gateway/Signer limits] Limits of the account’s own, attached on the passkey page, on the embedded network', () => {
  let stack: LocalStack;
  let chain: Chain;
  let funder: TestKey;
  let seller: TestKey;

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false, passkeyToken: SECRET });
    funder = await openPayer(stack, 100n * ONE);
    seller = await openSeller(stack);
    chain = new Chain(stack, funder);
  });
  after(() => stack.close());

  const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

  async function ask<T>(path: string, body?: unknown, headers = {}): Promise<T> {
    const response = await fetch(`http://localhost:${stack.facilitator.port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }

  const post = (path: string, request: FacilitatorRequest) => ask<Body>(path, request);

  async function fundedWallet(name: string): Promise<AgentWallet> {
    const wallet = await AgentWallet.open(chain, name);
    for (const token of [USDC, XLM_CONTRACT]) {
      const args = [address(funder.address), address(wallet.id), toI128(10n * ONE)];
      await chain.call(token, 'transfer', args);
    }
    return wallet;
  }

  /** Asks for the owner's passkey, and answers as a browser does. */
  async function withPasskey(wallet: AgentWallet, task: PasskeyTask) {
    const authorization = `Bearer ${SECRET}`;
    const opened = await ask<PasskeyOpened>('/passkeys', task, { authorization });
    assert.ok(opened.page, JSON.stringify(opened));
    const shown = await ask<PasskeyPageRequest>(`${opened.page}/request`);
    const signed = await wallet.owner.assert(Buffer.from(shown.challenge, 'base64url'));
    const answer = {
      kind: 'signed',
      keyId: text(wallet.owner.keyId),
      authenticatorData: text(signed.authenticatorData),
      clientDataJSON: text(signed.clientDataJSON),
      signature: text(signed.signature),
    };
    const origin = `http://localhost:${stack.facilitator.port}`;
    const status = await ask<PasskeyStatus>(`${opened.page}/answer`, answer, { origin });
    assert.equal(status.state, 'done', JSON.stringify(status));
    assert.equal(status.outcome?.unrecorded, null);
    return shown;
  }

  const generate = (definition: object) => ask<GeneratedPolicy>('/policies/generate', definition);

  async function standing(wallet: AgentWallet) {
    const path = `/policies/wallets/${wallet.id}`;
    const { policies } = await ask<{ policies: ReconciledPolicyRecord[] }>(path);
    return policies.map(({ policy, ledger }) => [policy.state, ledger?.attached]);
  }

  const by =
    (...keys: TestKey[]): SignHash =>
    (hash) =>
      accountSignature(
        keys.map(({ publicKey, sign }) => ({ kind: 'ed25519', publicKey, signature: sign(hash) })),
      );

  const pay = async (wallet: AgentWallet, sign: SignHash) =>
    post('/settle', await wallet.exactPayment(seller.address, ONE / 10n, sign));

  const assertRefused = (answer: Body) => {
    assert.equal(answer['success'], false);
    assert.equal(answer['reason'], 'spending_policy_refused');
    assert.match(String(answer['errorMessage']), /no signer is allowed to do this.*#110/);
  };

  it('allow-list: the key pays anybody with a listed asset, and with no other', async () => {
    const wallet = await fundedWallet('allowed');
    const { agent } = wallet;
    const common = { version: '1', type: 'allow_list', owners: [wallet.id], signer: agent.address };
    // Of XLM alone: a payment in USDC calls a contract that is not on the list.
    const other = await generate({ ...common, contracts: [XLM_CONTRACT] });
    await withPasskey(wallet, { kind: 'attach', policyId: other.id });
    assert.deepEqual(await standing(wallet), [['recorded', true]]);
    assertRefused(await pay(wallet, wallet.byAgent));
    const toSeller = [address(wallet.id), address(seller.address), toI128(ONE)];
    await chain.call(XLM_CONTRACT, 'transfer', toSeller, wallet.byAgent);

    await withPasskey(wallet, { kind: 'remove_key', wallet: wallet.id, key: agent.address });
    assert.deepEqual(await standing(wallet), [['generated', false]]);

    const usdc = await generate({ ...common, contracts: [USDC] });
    assert.deepEqual(usdc.summary.prevents, ['Calls of this key to contracts other than USDC.']);
    const shown = await withPasskey(wallet, { kind: 'attach', policyId: usdc.id });
    assert.deepEqual(shown.facts.slice(0, 3), [
      { name: 'Account', value: wallet.id },
      { name: 'Key', value: agent.address },
      { name: 'May call', value: `USDC (${USDC})` },
    ]);
    assert.equal((await pay(wallet, wallet.byAgent))['success'], true);
    // As its label says, it names contracts and not recipients.
    const stranger = await openSeller(stack);
    const payment = await wallet.exactPayment(stranger.address, ONE / 10n, wallet.byAgent);
    assert.equal((await post('/settle', payment))['success'], true);
    await assert.rejects(chain.call(XLM_CONTRACT, 'transfer', toSeller, wallet.byAgent));
  });

  it('several signatures: any single one is refused, and all together are accepted', async () => {
    const wallet = await fundedWallet('several');
    const { agent } = wallet;
    const second = testKey('second of several');
    const policy = await generate({
      version: '1',
      type: 'multisig',
      owners: [wallet.id],
      signer: agent.address,
      contracts: [USDC],
      coSigners: [second.address],
    });
    assert.match(policy.summary.title, /acts only together with 1 other key$/);
    assert.ok(policy.summary.prevents[0]?.includes(second.address));
    // While the other key is not in the account, nobody can sign for this one.
    const shown = await withPasskey(wallet, { kind: 'attach', policyId: policy.id });
    assert.ok(
      shown.facts.some(({ name, value }) => name === 'Must also sign' && value === second.address),
    );
    assertRefused(await pay(wallet, by(agent)));
    const missing = await pay(wallet, by(agent, second));
    assert.match(String(missing['errorMessage']), /is not a signer of the account \(#100\)/);

    const task = { wallet: wallet.id, key: second.address };
    const authorization = `Bearer ${SECRET}`;
    const mistyped = { kind: 'add_co_signer', wallet: wallet.id, key: `${second.address}A` };
    const answer = await ask<Body>('/passkeys', mistyped, { authorization });
    assert.equal(answer['code'], 'malformed_request');
    await withPasskey(wallet, { kind: 'add_co_signer', ...task });
    assertRefused(await pay(wallet, by(agent)));
    assertRefused(await pay(wallet, by(second)));
    assert.equal((await pay(wallet, by(agent, second)))['success'], true);
    // Owners are not limited by it.
    assert.equal((await pay(wallet, wallet.byOwner))['success'], true);
    await assert.rejects(
      chain.call(
        XLM_CONTRACT,
        'transfer',
        [address(wallet.id), address(seller.address), toI128(ONE)],
        by(agent, second),
      ),
    );

    await withPasskey(wallet, { kind: 'remove_key', ...task });
    const gone = await pay(wallet, by(agent, second));
    assert.match(String(gone['errorMessage']), /#100/);
    assertRefused(await pay(wallet, by(agent)));
    await withPasskey(wallet, { kind: 'remove_key', wallet: wallet.id, key: agent.address });
    assert.deepEqual(await standing(wallet), [['generated', false]]);
  });
});
