import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { controlInvocation, type GeneratedPolicy } from '../../src/protocol/policies/index.ts';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import { openPayer } from '../support/accounts.ts';
import { freshNonce } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain, signEntry } from './support/chain.ts';

interface Listed {
  readonly policies: readonly { readonly policy: { readonly id: string } }[];
  readonly pagination: { readonly limit: number; readonly offset: number; readonly total: number };
}

describe('A wallet’s policies at the policy gateway', () => {
  let stack: LocalStack;
  let chain: Chain;
  let wallet: AgentWallet;

  before(async () => {
    stack = await startLocalStack();
    chain = new Chain(stack, await openPayer(stack));
    wallet = await AgentWallet.open(chain, 'owner');
  });
  after(() => stack.close());

  async function ask<T>(path: string, body?: unknown): Promise<{ status: number; body: T }> {
    const response = await fetch(stack.facilitator.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async function generate(dailyXlm: string): Promise<GeneratedPolicy> {
    const definition = {
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { dailyXlm },
    };
    return (await ask<GeneratedPolicy>('/policies/generate', definition)).body;
  }

  async function proofOf(policy: string): Promise<string> {
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
    const entry = await signEntry(credentials, root, chain.networkId, wallet.byOwner);
    return entry.toXdr('base64');
  }

  const list = (query = '') => ask<Listed>(`/policies/wallets/${wallet.id}${query}`);

  it('an honest caller is never refused because of a stranger’s bad attempt at the same moment', async () => {
    for (let cap = 1; cap <= 2; cap += 1) {
      const policy = await generate(`${cap}`);
      const path = `/policies/${policy.id}/deploy-instance`;
      const proof = await proofOf(policy.contract?.contractId ?? '');
      const bad = Array.from({ length: 8 }, (_, at) =>
        ask<{ code?: string }>(path, at % 2 === 0 ? {} : { proof: 'AAAA' }),
      );
      const good = await ask(path, { proof });
      assert.equal(good.status, 200, JSON.stringify(good.body));
      for (const { status } of await Promise.all(bad)) {
        assert.ok(status === 401 || status === 403 || status === 200, `${status}`);
      }
    }
  });

  it('policies that strangers generate for a wallet are not listed, those that the wallet proved are', async () => {
    const planted = await Promise.all(
      Array.from({ length: 30 }, (_, at) => generate(`${1_000 + at}`)),
    );
    const before = await list();
    const ids = before.body.policies.map(({ policy }) => policy.id);
    for (const { id } of planted) assert.ok(!ids.includes(id));
    assert.equal(before.body.pagination.total, 2);

    const own = await generate('77');
    const proof = await proofOf(own.contract?.contractId ?? '');
    assert.equal((await ask(`/policies/${own.id}/deploy-instance`, { proof })).status, 200);
    const [newest] = (await list()).body.policies;
    assert.equal(newest?.policy.id, own.id);
  });

  it('a list comes in pages', async () => {
    const first = await list('?limit=2');
    const second = await list('?limit=2&offset=2');
    assert.deepEqual(first.body.pagination, { limit: 2, offset: 0, total: 3 });
    assert.equal(first.body.policies.length, 2);
    assert.equal(second.body.policies.length, 1);
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?offset=-1', '?offset=1e9']) {
      assert.equal((await list(query)).status, 400, query);
    }
  });
});
