import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { nodeTransport } from '../../../src/extension/http/nodeTransport.ts';
import { readKeyPolicies } from '../../../src/extension/ledgerReads/readKeyPolicies.ts';
import { readWalletPolicies } from '../../../src/extension/ledgerReads/readWalletPolicies.ts';
import { budgetAt } from '../../../src/extension/policies/budget.ts';
import { connectGateway } from '../../../src/extension/policies/gateway.ts';
import { connectPasskeyPage } from '../../../src/extension/policies/passkeyPage.ts';
import { type ContractAddress, encodeStrKey } from '../../../src/protocol/index.ts';
import { toSigner } from '../../../src/protocol/smartAccount/index.ts';
import { toI128, toScAddress } from '../../../src/protocol/stellar/index.ts';
import { AgentWallet } from '../../policies/support/agentWallet.ts';
import { Chain } from '../../policies/support/chain.ts';
import { MODULES } from '../../policies/support/contractModules.ts';
import { openPayer, openSeller } from '../../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';
import { testKey } from '../../support/payer.ts';
import { USDC } from '../../support/payment.ts';

describe('The policies of a smart account, read for the view', () => {
  const transport = nodeTransport();
  let stack: LocalStack;
  let chain: Chain;
  let account: AgentWallet;

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false, passkeyToken: 'secret' });
    chain = new Chain(stack, await openPayer(stack));
    account = await AgentWallet.open(chain, 'view');
  });
  after(() => stack.close());

  const read = (address: string) =>
    readWalletPolicies(stack.rpcUrl, address as ContractAddress, transport);

  async function policiesOf(address: string) {
    const reading = await read(address);
    if (reading.kind !== 'wallet') return assert.fail(reading.kind);
    return reading;
  }

  it('a new account has none', async () => {
    const { policies, ledgerTime } = await policiesOf(account.id);
    assert.deepEqual(policies, []);
    assert.ok(ledgerTime > 1_700_000_000n);
  });

  it('reports why an address is not a smart account: nothing there, an asset, another contract', async () => {
    const nobody = encodeStrKey('contract', new Uint8Array(32).fill(7));
    assert.deepEqual(await read(nobody), { kind: 'absent' });
    assert.deepEqual(await read(USDC), {
      kind: 'not_a_wallet',
      why: 'it is an asset contract',
    });
    const limit = await account.limit(undefined, 10n, 60n);
    assert.deepEqual(await read(limit), {
      kind: 'not_a_wallet',
      why: 'it has no function `policies`',
    });
  });

  it('an RPC server that does not answer, or another server, is reported with a message', async () => {
    const nowhere = readWalletPolicies('http://127.0.0.1:1', account.id, transport);
    await assert.rejects(nowhere, /127\.0\.0\.1:1 cannot be reached/);
    const other = readWalletPolicies(stack.facilitator.url, account.id, transport);
    await assert.rejects(other, /is not a Stellar RPC/);
  });

  it('[spec: Limits/Spending-limit window] the budget is the contract’s: after a payment, and in the next window', async () => {
    const payTo = await openSeller(stack);
    const policy = await account.limit(undefined, 10_000_000n, 86_400n);
    await account.attach(policy);
    await account.grant([USDC], [policy]);
    const payer = await openPayer(stack);
    const from = new Chain(stack, payer);
    const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));
    const give = [address(payer.address), address(account.id), toI128(20_000_000n)];
    await from.call(USDC, 'transfer', give);
    const pay = [address(account.id), address(payTo.address), toI128(3_000_000n)];
    await chain.call(USDC, 'transfer', pay, account.byAgent);

    const { policies, ledgerTime } = await policiesOf(account.id);
    const [shown] = policies;
    assert.equal(shown?.contractId, policy);
    assert.equal(shown?.wasmHash, MODULES.spendingLimit.hash.toString('hex'));
    const limit = shown?.limit ?? assert.fail();
    assert.equal(limit.token, USDC);
    const budget = budgetAt(limit, ledgerTime);
    // The payment is in the last ledger, and its window ends a day later.
    assert.deepEqual(
      [budget.limit, budget.spent, budget.left, budget.resetsAt],
      [10_000_000n, 3_000_000n, 7_000_000n, ledgerTime + 86_400n],
    );
    const paying = (amount: bigint) => {
      const rest = [address(account.id), address(payTo.address), toI128(amount)];
      return chain.call(USDC, 'transfer', rest, account.byAgent);
    };
    await assert.rejects(paying(budget.left + 1n));
    await paying(budget.left);

    await chain.pass(86_400);
    const later = await policiesOf(account.id);
    const [next] = later.policies;
    assert.equal(next?.limit && budgetAt(next.limit, later.ledgerTime).left, 10_000_000n);
    await assert.rejects(paying(10_000_001n));
    await paying(10_000_000n);
  });

  it('a verified-only policy shows its registry', async () => {
    const registry = encodeStrKey('contract', new Uint8Array(32).fill(9)) as ContractAddress;
    const args = [account.id, registry].map((one) => xdr.ScVal.scvAddress(toScAddress(one)));
    const policy = await chain.deploy(MODULES.verifiedOnly, args);
    await account.attach(policy);
    const { policies } = await policiesOf(account.id);
    const shown = policies.find(({ contractId }) => contractId === policy);
    assert.equal(shown?.registry, registry);
    assert.equal(shown?.limit, undefined);
  });

  it('[spec: Policy gateway/Signer limits] limits of a key are the account’s own values for it, and for its co-signers', async () => {
    const owned = await AgentWallet.open(chain, 'view of keys');
    const limited = testKey('limited of the view');
    const [coSigner, missing, owner] = ['co-signer', 'missing', 'owner'].map((name) =>
      testKey(`${name} of the view`),
    );
    assert.ok(coSigner && missing && owner);
    const gateway = connectGateway(stack.facilitator.url, transport);
    const common = { version: '1', owners: [owned.id], signer: limited.address } as const;
    const several = await gateway.generate({
      ...common,
      type: 'multisig',
      contracts: [USDC],
      coSigners: [coSigner.address, missing.address, owner.address],
    });
    const list = await gateway.generate({ ...common, type: 'allow_list', contracts: [USDC] });
    const signers = new Map([several, list].map(({ id, attach }) => [id, attach.signerXdr]));
    const look = async () => {
      const found = await readKeyPolicies(stack.rpcUrl, owned.id, signers, transport);
      return [several, list].map(({ id }) => found.get(id));
    };
    assert.deepEqual(
      (await look()).map((found) => found?.held),
      ['no', 'no'],
    );
    const ADDED = { expirationLedger: null, storage: 'Temporary' } as const;
    const add = (signer: xdr.ScVal) => chain.call(owned.id, 'add_signer', [signer], owned.byOwner);
    for (const [{ publicKey }, grants] of [
      [coSigner, new Map()],
      [owner, null],
    ] as const) {
      await add(toSigner({ key: { kind: 'ed25519', publicKey }, grants, ...ADDED }));
    }
    await add(xdr.ScVal.fromXdr(several.attach.signerXdr, 'base64'));
    assert.deepEqual(await look(), [
      {
        key: limited.address,
        contracts: [USDC],
        held: 'yes',
        coSigners: [
          { key: coSigner.address, standing: 'co-signer' },
          { key: missing.address, standing: 'missing' },
          { key: owner.address, standing: 'owner' },
        ],
      },
      { key: limited.address, contracts: [USDC], held: 'other', coSigners: [] },
    ]);
    const broken = new Map([['pol_broken', 'AAAA']]);
    const none = await readKeyPolicies(stack.rpcUrl, owned.id, broken, transport);
    assert.equal(none.size, 0);
    assert.deepEqual(
      (await gateway.validate({ ...common, type: 'allow_list', contracts: [] })).problems.map(
        ({ path }) => path,
      ),
      ['/contracts'],
    );
  });

  it('a gateway that is down or refuses is reported with what to do', async () => {
    const gateway = (url: string) => connectGateway(url, transport);
    await assert.rejects(gateway('http://127.0.0.1:1').ofWallet(account.id), {
      code: 'unreachable',
      status: 0,
    });
    await assert.rejects(gateway(stack.rpcUrl).templates(), { code: 'bad_answer' });
    await assert.rejects(gateway(stack.facilitator.url).ofWallet('GABC'), {
      code: 'invalid_request',
      status: 400,
    });
    assert.deepEqual(await gateway(stack.facilitator.url).ofWallet(account.id), []);
  });

  it('a passkey request that is cancelled in the editor ends at the service', async () => {
    const page = connectPasskeyPage(stack.facilitator.url, 'secret', transport);
    const task = { kind: 'create_account', name: 'test' } as const;
    const opened = await page.open(task);
    await assert.rejects(page.open(task), { code: 'request_pending', status: 409 });
    const controller = new AbortController();
    const followed = page.follow(opened, controller.signal);
    controller.abort();
    assert.equal((await followed).state, 'cancelled');
    const wrong = connectPasskeyPage(stack.facilitator.url, 'guess', transport);
    await assert.rejects(wrong.open(task), { code: 'not_permitted', status: 401 });
  });
});
