import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ContractAddress } from '../../src/protocol/index.ts';
import type { DeployedInstance } from '../../src/protocol/policies/index.ts';
import type { StellarNetwork } from '../../src/server/network/index.ts';
import { PolicyError } from '../../src/server/policies/index.ts';
import { PolicyRecords } from '../../src/server/policies/policyRecords.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { openAccount } from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';
import { openGateway } from './support/openGateway.ts';

/** What an end of the process looks like from inside: nothing after it happens. */
class Ended extends Error {}

describe('An interrupted deployment', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let wallet: AgentWallet;
  let folder: string;
  let database: Database;

  beforeEach(async () => {
    local = await startLocalNetwork();
    chain = new Chain(local, await openAccount(local));
    wallet = await AgentWallet.open(chain, 'interrupted');
    folder = mkdtempSync(join(tmpdir(), 'svc-x402-policies-'));
    database = await openStore({ databaseUrl: null, dataFolder: folder });
  });
  afterEach(async () => {
    await database.close();
    await local.close();
    rmSync(folder, { recursive: true });
  });

  const open = (network?: StellarNetwork) => openGateway(local, database, network);

  async function restart() {
    await database.close();
    database = await openStore({ databaseUrl: null, dataFolder: folder });
    return open(local.network);
  }

  async function generated() {
    const policies = open(local.network);
    const { id, contract } = await policies.generate({
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { dailyXlm: '3' },
    });
    assert.ok(contract);
    return { id, contractId: contract.contractId as ContractAddress };
  }

  /** The end comes when a transaction is sent: before the network has it, or after. */
  function endingAt(moment: 'before' | 'after'): StellarNetwork {
    return {
      ...local.network,
      async send(transaction) {
        if (moment === 'after') {
          await local.network.send(transaction);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        throw new Ended();
      },
    };
  }

  async function statesOf(id: string) {
    const { state, deployTxHash } = await new PolicyRecords(database).find(id);
    return { state, sent: deployTxHash !== null };
  }

  for (const moment of ['before', 'after'] as const) {
    it(`continues when the service starts again: the end came ${moment} the network had it`, async () => {
      const { id, contractId } = await generated();
      const ending = open(endingAt(moment));
      await assert.rejects(ending.deployInstance(id, undefined), Ended);
      assert.deepEqual(await statesOf(id), { state: 'deploying', sent: true });

      const policies = await restart();
      await policies.stop();
      assert.deepEqual(await statesOf(id), { state: 'deployed', sent: true });
      assert.equal((await chain.budget(contractId)).remaining, 30_000_000n);
      // A repeated request gets the deployed contract.
      const answer: DeployedInstance = await policies.deployInstance(id, undefined);
      assert.deepEqual([answer.state, answer.contractId], ['deployed', contractId]);
    });
  }

  it('states survive a restart, and nothing is deployed without a request', async () => {
    const { id } = await generated();
    const policies = await restart();
    await policies.stop();
    assert.deepEqual(await statesOf(id), { state: 'generated', sent: false });
    assert.equal((await policies.simulate(id)).deployable, true);
  });

  it('a sponsor at its floor deploys nothing', async () => {
    const { id } = await generated();
    const poor = openGateway(local, database, local.network, 2n ** 62n);
    await assert.rejects(poor.deployInstance(id, undefined), (error) => {
      assert.ok(error instanceof PolicyError);
      assert.equal(error.code, 'sponsor_balance_low');
      return true;
    });
  });
});
