import assert from 'node:assert/strict';
import { xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import { readScAddress, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  createPolicyClient,
  createWalletAgents,
  passkeySigner,
  type SubmitCall,
  type WalletAgents,
} from '../../src/sdk/index.ts';
import { AgentWallet } from '../policies/support/agentWallet.ts';
import type { Chain } from '../policies/support/chain.ts';
import type { LocalStack } from '../support/localStack.ts';
import { USDC } from '../support/payment.ts';

const DAY = 86_400_000;

/** A smart account with an agent under a budget, both on the ledger. */
export interface AgentWithBudget {
  readonly wallet: ContractAddress;
  /** `G…` */
  readonly agent: string;
  /** `S…` */
  readonly secret: string;
  readonly agents: WalletAgents;
}

const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

/** Makes an account that holds 5 USDC of the chain's payer, and gives an agent a budget for a day. */
export async function grantBudget(
  stack: LocalStack,
  chain: Chain,
  funder: string,
  { name, budget }: { readonly name: string; readonly budget: string },
): Promise<AgentWithBudget> {
  const { id, owner } = await AgentWallet.open(chain, name);
  await chain.call(USDC, 'transfer', [address(funder), address(id), toI128(50_000_000n)]);
  const submit = async ({ func, auth }: Parameters<SubmitCall>[0]) => {
    const call = xdr.HostFunction.fromXdr(func, 'base64');
    assert.ok(call.type === 'hostFunctionTypeInvokeContract');
    const { contractAddress, functionName, args } = call.invokeContract;
    const entries = auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64'));
    const contract = readScAddress(contractAddress) ?? '';
    return chain.present(contract, functionName.toString(), [...args], entries);
  };
  const agents = createWalletAgents({
    wallet: id,
    owner: passkeySigner(id, owner.keyId, (challenge) => owner.assert(challenge)),
    client: createPolicyClient({ apiUrl: stack.facilitator.url, network: STELLAR_TESTNET }),
    rpcUrl: stack.rpcUrl,
    submit,
    sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
  const expires = new Date(Date.now() + 7 * DAY);
  const made = await agents.grant({ budget, window: 'day', assets: [USDC], expires });
  assert.ok(made.secret);
  return { wallet: id, agent: made.agent, secret: made.secret, agents };
}
