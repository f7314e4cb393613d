import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../src/protocol/index.ts';
import type { GeneratedPolicy } from '../../src/protocol/policies/index.ts';
import { accountKey, instanceKey } from '../../src/protocol/stellar/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { moduleKey } from '../../src/server/policies/contractIds.ts';
import { openSigners } from '../../src/server/settlement/index.ts';
import { balancesOf, openPayer } from '../support/accounts.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { post } from '../support/post.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';
import { MODULES } from './support/contractModules.ts';
import { lifeOf, setLife } from './support/entryLife.ts';
import { tokenModule } from './support/tokenModule.ts';

const WEEK = 7 * 17_280;

const limit = (wallet: string, dailyXlm: string) => ({
  ...{ version: '1', type: 'spending_limit', owners: [wallet] },
  spendingLimits: { dailyXlm },
});

describe('What the sponsor pays to keep policies alive', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let gateway: RunningFacilitator;

  before(async () => {
    local = await startLocalNetwork();
    gateway = await startFacilitator({ ...facilitatorOptions(local), policyProofRequired: false });
    chain = new Chain(local, await openPayer(local, 100_000_000n));
  });
  after(async () => {
    await gateway.close();
    await local.close();
  });

  async function ask<T>(path: string, body: object = {}): Promise<{ status: number; body: T }> {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async function deployed(wallet: string, dailyXlm = '5'): Promise<GeneratedPolicy> {
    const { body } = await ask<GeneratedPolicy>('/policies/generate', limit(wallet, dailyXlm));
    assert.equal((await ask(`/policies/${body.id}/deploy-instance`)).status, 200);
    return body;
  }

  const again = ({ id }: GeneratedPolicy) =>
    ask<{ code?: string }>(`/policies/${id}/deploy-instance`);

  const sponsor = async () => (await balancesOf(local, local.ledger.accounts.sponsor.address)).xlm;

  const life = (key: xdr.LedgerKey) => lifeOf(local, key);
  const leave = (key: xdr.LedgerKey, ledgers: number) => setLife(local, key, ledgers);

  it('is nothing for a wallet with a module of its own, whatever that is', async () => {
    const module = tokenModule(7);
    const wallet = await chain.deploy(module);
    const policy = await deployed(wallet);
    const own = [instanceKey(wallet), moduleKey(module.hash)];
    for (const key of own) await leave(key, 1_000);
    const before = await sponsor();
    assert.equal((await again(policy)).status, 200);
    assert.equal(await sponsor(), before);
    for (const key of own) assert.ok((await life(key)) <= 1_000);
    // The policy's own entries are the gateway's, and are extended.
    const contract = instanceKey(policy.contract?.contractId as ContractAddress);
    await leave(contract, 1_000);
    assert.equal((await again(policy)).status, 200);
    assert.ok((await life(contract)) > WEEK - 100);
    for (const key of own) assert.ok((await life(key)) <= 1_000);
  });

  it('is counted: five times a day for one wallet, and its price is bounded', async () => {
    const { id } = await AgentWallet.open(chain, 'kept');
    const policy = await deployed(id);
    const modules = [MODULES.account.hash, MODULES.spendingLimit.hash].map(moduleKey);
    const prices: bigint[] = [];
    for (let n = 0; n < 5; n++) {
      for (const key of modules) await leave(key, 1_000);
      const before = await sponsor();
      assert.equal((await again(policy)).status, 200);
      prices.push(before - (await sponsor()));
    }
    assert.ok(
      prices.every((price) => price > 0n && price <= 100_000_000n),
      prices.join(),
    );
    for (const key of modules) await leave(key, 1_000);
    const before = await sponsor();
    const refused = await again(policy);
    assert.deepEqual([refused.status, refused.body.code], [429, 'wallet_rate_limited']);
    assert.equal(await sponsor(), before);
    // Others are not affected.
    const { id: other } = await AgentWallet.open(chain, 'other');
    assert.equal((await again(await deployed(other))).status, 200);
  });

  it('of a module that several request at once is one upload', async () => {
    const fresh = await startLocalNetwork();
    const opened = await startFacilitator({
      ...facilitatorOptions(fresh),
      policyProofRequired: false,
    });
    try {
      const { id } = await AgentWallet.open(new Chain(fresh, await openPayer(fresh)), 'any');
      const account = accountKey(openSigners(facilitatorOptions(fresh)).sponsor);
      const sequence = async () => {
        const { entries } = await fresh.network.getLedgerEntries([account]);
        return entries[0]?.type === 'account' ? entries[0].account.seqNum : undefined;
      };
      const before = (await sequence()) ?? 0n;
      const answers = await Promise.all(
        ['1', '2', '3', '4', '5', '6'].map((cap) =>
          post(opened.url, '/policies/generate', limit(id, cap)),
        ),
      );
      for (const { status } of answers) assert.equal(status, 200);
      assert.equal(await sequence(), before + 1n);
    } finally {
      await opened.close();
      await fresh.close();
    }
  });
});
