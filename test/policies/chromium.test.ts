import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { agentSigner, CannotPayError, createSvcWallet } from '../../src/sdk/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';
import {
  type ChromiumPasskey,
  noChromium,
  openChromiumPasskey,
} from './support/chromiumPasskey.ts';
import { openTestSeller, type TestSeller } from './support/seller.ts';

describe('A passkey in Chromium, by its virtual authenticator', { skip: noChromium }, () => {
  let stack: LocalStack;
  let passkey: ChromiumPasskey;
  let seller: TestSeller;

  before(async () => {
    stack = await startLocalStack({ policyProofRequired: false });
    passkey = await openChromiumPasskey();
    const payTo = await openSeller(stack);
    seller = await openTestSeller(stack.facilitator.url, payTo.address, 1_000_000n);
  });
  after(async () => {
    await seller?.close();
    await passkey?.close();
    await stack?.close();
  });

  it('[spec: Policy lifecycle/Attach] [spec: Authentication/Passkey] owns a wallet; deploys a limit with one prompt; its agent pays, is refused, and pays in the next window', async (t) => {
    const funder = await openPayer(stack);
    const chain = new Chain(stack, funder);
    const account = await AgentWallet.open(chain, 'chromium', passkey);
    const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));
    const funding = [address(funder.address), address(account.id), toI128(10_000_000n)];
    await chain.call(USDC, 'transfer', funding);
    const { agent } = account;
    const connection = { contractId: account.id as string, keyIdBase64: 'a2V5' };
    const wallet = createSvcWallet({
      network: STELLAR_TESTNET,
      appName: 'Svc',
      kit: {
        createWallet: async () => ({ ...connection, signedTx: '' }),
        connectWallet: async () => connection,
      },
      apiUrl: stack.facilitator.url,
      policyAttach: { attachPolicy: (policy) => account.attach(policy as ContractAddress) },
      x402: {
        signer: agentSigner(account.id, agent.publicKey, (hash) => agent.sign(hash)),
        rpcUrl: stack.rpcUrl,
      },
    });
    const { id, grantOn } = await wallet.policies.generate({
      version: '1',
      type: 'spending_limit',
      owners: [account.id],
      spendingLimits: { daily: [{ asset: USDC, amount: '0.1' }] },
    });
    assert.equal((await wallet.policies.simulate(id)).deployable, true);
    assert.equal(passkey.prompts, 0);
    const { contractId } = await wallet.policies.deploy(id);
    assert.equal(passkey.prompts, 1);
    await account.grant(grantOn as ContractAddress[], [contractId as ContractAddress]);

    const pay = () => wallet.x402.fetch(`${seller.url}/paid`);
    assert.equal((await pay()).status, 200);
    let refusal = '';
    await assert.rejects(pay(), (error) => {
      assert.ok(error instanceof CannotPayError);
      refusal = error.detail;
      return true;
    });
    await chain.pass(86_400);
    assert.equal((await pay()).status, 200);
    assert.equal(seller.presented, 2);
    t.diagnostic(`wallet ${account.id}, policy ${contractId}: one prompt deployed and attached it`);
    t.diagnostic(`0.1 of 0.1 paid; the next refused: ${refusal}; a day later paid again`);
  });
});
