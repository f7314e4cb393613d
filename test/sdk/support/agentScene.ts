import assert from 'node:assert/strict';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../../src/protocol/index.ts';
import { readScAddress, toI128, toScAddress } from '../../../src/protocol/stellar/index.ts';
import {
  agentSigner,
  createPolicyClient,
  createWalletAgents,
  createX402Fetch,
  passkeySigner,
  type SubmitCall,
  type WalletAgentsOptions,
} from '../../../src/sdk/index.ts';
import { AgentWallet } from '../../policies/support/agentWallet.ts';
import { Chain } from '../../policies/support/chain.ts';
import { MODULES } from '../../policies/support/contractModules.ts';
import { openTestSeller, type TestSeller } from '../../policies/support/seller.ts';
import { openPayer, openSeller } from '../../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';
import { USDC } from '../../support/payment.ts';

export const DAY = 86_400_000;
export const address = (value: string) =>
  xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

/** A network, a gateway, a seller of things for 0.1 USDC, and smart accounts with 5 USDC. */
export class AgentScene {
  readonly stack: LocalStack;
  readonly chain: Chain;
  readonly funder: TestKey;
  readonly seller: TestSeller;
  readonly payTo: TestKey['address'];

  private constructor(
    stack: LocalStack,
    chain: Chain,
    funder: TestKey,
    seller: TestSeller,
    payTo: TestKey['address'],
  ) {
    this.stack = stack;
    this.chain = chain;
    this.funder = funder;
    this.seller = seller;
    this.payTo = payTo;
  }

  static async open(): Promise<AgentScene> {
    const stack = await startLocalStack({ policyProofRequired: false });
    const funder = await openPayer(stack, 1_000_000_000n);
    const { address: payTo } = await openSeller(stack);
    const seller = await openTestSeller(stack.facilitator.url, payTo, 1_000_000n);
    return new AgentScene(stack, new Chain(stack, funder), funder, seller, payTo);
  }

  async close(): Promise<void> {
    await this.seller.close();
    await this.stack.close();
  }

  async account(name: string, module = MODULES.account): Promise<AgentWallet> {
    const made = await AgentWallet.open(this.chain, name, undefined, module);
    const args = [address(this.funder.address), address(made.id), toI128(50_000_000n)];
    await this.chain.call(USDC, 'transfer', args);
    return made;
  }

  /** What a relayer does: it puts the call into a transaction of its own. */
  readonly submit = async ({ func, auth }: Parameters<SubmitCall>[0]) => {
    const call = xdr.HostFunction.fromXdr(func, 'base64');
    assert.ok(call.type === 'hostFunctionTypeInvokeContract');
    const { contractAddress, functionName, args } = call.invokeContract;
    const entries = auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64'));
    const contract = readScAddress(contractAddress) ?? '';
    return this.chain.present(contract, functionName.toString(), [...args], entries);
  };

  agentsOf({ id, owner }: AgentWallet, options: Partial<WalletAgentsOptions> = {}) {
    return createWalletAgents({
      wallet: id,
      owner: passkeySigner(id, owner.keyId, (challenge) => owner.assert(challenge)),
      client: createPolicyClient({ apiUrl: this.stack.facilitator.url, network: STELLAR_TESTNET }),
      rpcUrl: this.stack.rpcUrl,
      submit: this.submit,
      sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
      ...options,
    });
  }

  payAs(wallet: AgentWallet, secret: string | undefined) {
    const key = Keypair.fromSecret(secret ?? '');
    const signer = agentSigner(wallet.id, key.rawPublicKey(), (hash) =>
      key.sign(Buffer.from(hash)),
    );
    return createX402Fetch({ signer, rpcUrl: this.stack.rpcUrl, allowedAssets: [USDC] });
  }
}
