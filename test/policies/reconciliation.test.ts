import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { type SignerKey, toSigner, toSignerKey } from '../../src/protocol/smartAccount/index.ts';
import { instanceKey } from '../../src/protocol/stellar/index.ts';
import type { StellarNetwork } from '../../src/server/network/index.ts';
import { type Policies, PolicyError } from '../../src/server/policies/index.ts';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { openAccount } from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain } from './support/chain.ts';
import { EARLIER_MODULES, MODULES } from './support/contractModules.ts';
import { openGateway } from './support/openGateway.ts';

describe('The gateway’s records are compared with the ledger, which is authoritative', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let wallet: AgentWallet;
  let folder: string;
  let database: Database;
  let policies: Policies;

  beforeEach(async () => {
    local = await startLocalNetwork();
    chain = new Chain(local, await openAccount(local));
    wallet = await AgentWallet.open(chain, 'reconciled');
    folder = mkdtempSync(join(tmpdir(), 'svc-x402-policies-'));
    database = await openStore({ databaseUrl: null, dataFolder: folder });
    policies = open();
  });
  afterEach(async () => {
    await policies.stop();
    await database.close();
    await local.close();
    rmSync(folder, { recursive: true });
  });

  const open = (network?: StellarNetwork) => openGateway(local, database, network);

  async function recorded() {
    const { id, contract } = await policies.generate({
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { dailyXlm: '3' },
    });
    assert.ok(contract);
    const contractId = contract.contractId as ContractAddress;
    await policies.deployInstance(id, undefined);
    const { hash } = await wallet.attach(contractId);
    await policies.record(id, hash);
    return { id, contractId, hash };
  }

  async function standing(from = policies) {
    const { policies: kept } = await from.ofWallet(wallet.id, { limit: 20, offset: 0 });
    const [only, ...others] = kept;
    assert.ok(only);
    assert.equal(others.length, 0);
    return { state: only.policy.state, attach: only.attachTxHash, ledger: only.ledger };
  }

  const KNOWN = { deployed: true, attached: true, account: 'known' } as const;

  it('a matching record is unchanged', async () => {
    const { hash } = await recorded();
    assert.deepEqual(await standing(), { state: 'recorded', attach: hash, ledger: KNOWN });
  });

  it('a policy that the wallet removed is no longer attached, and can be attached again', async () => {
    const { id, contractId, hash } = await recorded();
    await wallet.detach(contractId);
    const ledger = { ...KNOWN, attached: false };
    assert.deepEqual(await standing(), { state: 'deployed', attach: null, ledger });
    await assert.rejects(policies.record(id, hash), (error) => {
      assert.ok(error instanceof PolicyError);
      assert.equal(error.code, 'attach_mismatch');
      return true;
    });
    const again = await wallet.attach(contractId);
    // Attached but not recorded: the ledger has it, but the record does not know the transaction.
    assert.deepEqual(await standing(), { state: 'deployed', attach: null, ledger: KNOWN });
    await policies.record(id, again.hash);
    assert.equal((await standing()).state, 'recorded');
  });

  it('a wallet of version 0.3.0 is known, and its policies are recorded like others', async () => {
    wallet = await AgentWallet.open(chain, 'earlier', undefined, EARLIER_MODULES.account);
    const { hash } = await recorded();
    assert.deepEqual(await standing(), { state: 'recorded', attach: hash, ledger: KNOWN });
  });

  it('an attach among several changes of signers is recorded, one of another policy is not', async () => {
    const [policy, other] = await Promise.all(
      ['3', '4'].map((dailyXlm) =>
        policies.generate({
          version: '1',
          type: 'spending_limit',
          owners: [wallet.id],
          spendingLimits: { dailyXlm },
        }),
      ),
    );
    assert.ok(policy?.contract && other?.contract);
    for (const { id } of [policy, other]) await policies.deployInstance(id, undefined);
    const { contractId } = policy.contract;
    const publicKey = testKey('an agent').publicKey;
    const end = { expirationLedger: null, storage: 'Persistent' } as const;
    const added = [
      { key: { kind: 'policy', policy: contractId as ContractAddress }, grants: new Map(), ...end },
      { key: { kind: 'ed25519', publicKey }, grants: new Map(), ...end },
    ] as const;
    const vector = (values: xdr.ScVal[]) => xdr.ScVal.scvVec(values);
    const args = [vector([]), vector(added.map(toSigner))];
    const { hash } = await chain.call(wallet.id, 'change_signers', args, wallet.byOwner);
    await assert.rejects(policies.record(other.id, hash), { code: 'attach_mismatch' });
    assert.equal((await policies.record(policy.id, hash)).state, 'recorded');
    // A transaction that removes the policy attaches nothing.
    const removed = [toSignerKey({ kind: 'policy', policy: contractId as ContractAddress })];
    const gone = [vector(removed), vector([])];
    const ended = await chain.call(wallet.id, 'change_signers', gone, wallet.byOwner);
    await assert.rejects(policies.record(policy.id, ended.hash), { code: 'attach_mismatch' });
  });

  it('for a wallet with another module, the enforcement is unknown', async () => {
    const { hash } = await recorded();
    const other = xdr.ScVal.scvBytes(MODULES.verifiedOnly.hash);
    await chain.upload(MODULES.verifiedOnly.wasm);
    await chain.call(wallet.id, 'upgrade', [other], wallet.byOwner);
    const ledger = { ...KNOWN, account: 'other' };
    assert.deepEqual(await standing(), { state: 'recorded', attach: hash, ledger });
  });

  it('a reset ledger has no contract: the policy is generated, and is deployed again', async () => {
    const { id, contractId } = await recorded();
    const remove = instanceKey(contractId).toXdr('base64');
    await local.ledger.control('svc_setEntry', { remove });
    // A gateway that starts after that knows it from the start.
    await policies.stop();
    policies = open();
    await policies.stop();
    const [kept] = await database.all<{ state: string }>('SELECT state FROM policies', []);
    assert.equal(kept?.state, 'generated');
    assert.equal((await policies.deployInstance(id, undefined)).state, 'deployed');
    assert.equal((await chain.budget(contractId)).remaining, 30_000_000n);
  });

  it('a policy that is requested while its contract is gone is deployed, not only reported as deployed', async () => {
    const { id, contractId } = await recorded();
    const remove = instanceKey(contractId).toXdr('base64');
    await local.ledger.control('svc_setEntry', { remove });
    assert.equal((await policies.deployInstance(id, undefined)).state, 'deployed');
    assert.equal((await chain.budget(contractId)).remaining, 30_000_000n);
  });

  it('a server that lags behind is not believed', async () => {
    const { hash, contractId } = await recorded();
    await wallet.detach(contractId);
    const behind = open({ ...local.network, isBehind: () => true });
    const ledger = { ...KNOWN, attached: false };
    assert.deepEqual(await standing(behind), { state: 'recorded', attach: hash, ledger });
    await behind.stop();
  });

  it('[spec: Policy gateway/Signer limits] limits of a key are recorded while the account has exactly these', async () => {
    const { id, attach } = await policies.generate({
      version: '1',
      type: 'allow_list',
      owners: [wallet.id],
      signer: wallet.agent.address,
      contracts: [USDC],
    });
    const absent = { ...KNOWN, attached: false };
    assert.deepEqual(await standing(), { state: 'generated', attach: null, ledger: absent });
    // The same key with other limits is not this policy.
    const key: SignerKey = { kind: 'ed25519', publicKey: wallet.agent.publicKey };
    const other = await wallet.grant([USDC, wallet.id], []);
    const mismatch = (error: unknown) =>
      error instanceof PolicyError && error.code === 'attach_mismatch';
    await assert.rejects(policies.record(id, other.hash), mismatch);
    assert.deepEqual((await standing()).ledger, absent);
    const remove = () => chain.call(wallet.id, 'remove_signer', [toSignerKey(key)], wallet.byOwner);
    await remove();
    const signer = xdr.ScVal.fromXdr(attach.signerXdr, 'base64');
    const { hash } = await chain.call(wallet.id, 'add_signer', [signer], wallet.byOwner);
    assert.deepEqual(await standing(), { state: 'generated', attach: null, ledger: KNOWN });
    assert.deepEqual(await policies.record(id, hash), {
      id,
      state: 'recorded',
      contractId: null,
      attachTxHash: hash,
    });
    assert.deepEqual(await standing(), { state: 'recorded', attach: hash, ledger: KNOWN });
    await remove();
    assert.deepEqual(await standing(), { state: 'generated', attach: null, ledger: absent });
    await assert.rejects(policies.record(id, hash), mismatch);
  });
});
