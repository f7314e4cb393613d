import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import { instanceKey, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  agentSigner,
  createPolicyClient,
  createX402Fetch,
  GatewayError,
  PaymentRejectedError,
  passkeySigner,
  signControlProof,
} from '../../src/sdk/index.ts';
import { moduleKey } from '../../src/server/policies/contractIds.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';
import { MODULES } from './support/contractModules.ts';
import { lifeOf, setLife } from './support/entryLife.ts';
import { openTestSeller, type TestSeller } from './support/seller.ts';

const PRICE = 100_000n;
const WEEK = 7 * 17_280;

describe('The entries that a payment under a policy needs expire on the ledger', () => {
  let stack: LocalStack;
  let chain: Chain;
  let payTo: TestKey;
  let seller: TestSeller;
  let account: AgentWallet;
  let policy: { readonly id: string; readonly contractId: ContractAddress };
  let pay: () => Promise<Response>;

  const gateway = () =>
    createPolicyClient({ apiUrl: stack.facilitator.url, network: STELLAR_TESTNET });
  const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));
  const received = async () => (await balancesOf(stack, payTo.address)).usdc;

  before(async () => {
    stack = await startLocalStack();
    const funder = await openPayer(stack, 100_000_000n);
    payTo = await openSeller(stack);
    seller = await openTestSeller(stack.facilitator.url, payTo.address, PRICE);
    chain = new Chain(stack, funder);
    account = await AgentWallet.open(chain, 'archived');
    const funding = [address(funder.address), address(account.id), toI128(10_000_000n)];
    await chain.call(USDC, 'transfer', funding);
    const { id, contract, grantOn } = await gateway().generate({
      version: '1',
      type: 'spending_limit',
      owners: [account.id],
      spendingLimits: { daily: [{ asset: USDC, amount: '1' }] },
    });
    assert.ok(contract);
    policy = { id, contractId: contract.contractId as ContractAddress };
    await gateway().deployInstance(id, await proof());
    const { hash } = await account.attach(policy.contractId);
    await gateway().record(id, hash);
    await account.grant(grantOn as ContractAddress[], [policy.contractId]);
    const { agent } = account;
    const signer = agentSigner(account.id, agent.publicKey, (digest) => agent.sign(digest));
    const fetching = createX402Fetch({ signer, rpcUrl: stack.rpcUrl });
    pay = () => fetching(`${seller.url}/paid`);
    assert.equal((await pay()).status, 200);
  });
  after(async () => {
    await seller.close();
    await stack.close();
  });

  function proof(): Promise<string> {
    const { owner } = account;
    const signer = passkeySigner(account.id, owner.keyId, (challenge) => owner.assert(challenge));
    return signControlProof(signer, policy.contractId, { rpcUrl: stack.rpcUrl });
  }

  const life = (key: xdr.LedgerKey) => lifeOf(stack, key);

  /** Sets how many ledgers an entry has left; below zero it is archived. */
  async function leave(key: xdr.LedgerKey, ledgers: number): Promise<void> {
    await setLife(stack, key, ledgers);
    if (ledgers < 0) await chain.passLedgers(5);
  }

  it('an archived module: the payment is refused with a message, and no money moves', async () => {
    await leave(moduleKey(MODULES.spendingLimit.hash), -1);
    const before = await received();
    await assert.rejects(pay(), (error) => {
      assert.ok(error instanceof PaymentRejectedError);
      assert.match(error.message, /fee_exceeds_maximum/);
      assert.match(error.message, /the restoration of archived ledger entries \(1\)/);
      // Nothing used the authorization, and it can still pay until its last ledger.
      assert.equal(error.moneyMoved, 'not_yet');
      return true;
    });
    assert.equal(await received(), before);
  });

  it('the wallet’s owner has the gateway restore it with another deploy-instance', async () => {
    await assert.rejects(gateway().deployInstance(policy.id), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.reason, 'proof_required');
      return true;
    });
    const answer = await gateway().deployInstance(policy.id, await proof());
    assert.equal(answer.contractId, policy.contractId);
    assert.ok((await life(moduleKey(MODULES.spendingLimit.hash))) > WEEK - 100);
    const before = await received();
    assert.equal((await pay()).status, 200);
    assert.equal(await received(), before + PRICE);
  });

  it('an archived instance: the payment restores it itself, within the ceiling', async () => {
    for (const contract of [policy.contractId, account.id]) {
      await leave(instanceKey(contract), -1);
      const before = await received();
      assert.equal((await pay()).status, 200);
      assert.equal(await received(), before + PRICE);
      assert.ok((await life(instanceKey(contract))) > 0);
    }
    // The spent amount survives it.
    assert.equal((await chain.budget(policy.contractId)).spent, 4n * PRICE);
  });

  it('entries that expire soon are extended to a week; others cost nothing', async () => {
    const modules = [MODULES.account.hash, MODULES.spendingLimit.hash].map(moduleKey);
    for (const key of modules) await leave(key, 1_000);
    const sponsor = async () =>
      (await balancesOf(stack, stack.ledger.accounts.sponsor.address)).xlm;
    await gateway().deployInstance(policy.id, await proof());
    for (const key of modules) assert.ok((await life(key)) > WEEK - 100);
    const before = await sponsor();
    // Nothing is due, so the caller needs no proof either.
    await gateway().deployInstance(policy.id);
    assert.equal(await sponsor(), before);
  });
});
