import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  Account,
  Address,
  Asset,
  Contract,
  Keypair,
  nativeToScVal,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { startLedger } from '../../src/index.ts';
import { balanceOf } from '../control/reading.ts';
import { callRpc, type Scene, startScene } from './scene.ts';

type Fields = Readonly<Record<string, unknown>>;

const STARTING_BALANCE = 100_000_000_000n;

async function result(url: string, method: string, params?: object): Promise<Fields> {
  const answer = await callRpc(url, { jsonrpc: '2.0', id: 1, method, params });
  return (answer as { result: Fields }).result;
}

describe('answers equal those of testnet’s Stellar RPC', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene[Symbol.asyncDispose]());

  it('getHealth returns close times as strings, as the published OpenRPC and the Go SDK expect', async () => {
    const health = await result(scene.url, 'getHealth');
    assert.match(String(health['latestLedgerCloseTime']), /^\d{10}$/);
    for (const name of ['latestLedgerCloseTime', 'oldestLedgerCloseTime']) {
      assert.equal(typeof health[name], 'string', name);
    }
    for (const name of ['latestLedger', 'oldestLedger', 'ledgerRetentionWindow']) {
      assert.equal(typeof health[name], 'number', name);
    }
  });

  it('getVersionInfo names the running build', async () => {
    const version = await result(scene.url, 'getVersionInfo');
    assert.match(String(version['commitHash']), /^[0-9a-f]{40}$/);
  });

  it("Horizon's /health is healthy", async () => {
    const answer = await fetch(`${scene.url}/health`);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      database_connected: true,
      core_up: true,
      core_synced: true,
    });
  });

  it('an unknown control method is refused by name', async () => {
    const control = scene.ledger.control as (method: string) => Promise<unknown>;
    for (const name of ['svc_nope', 'toString', '__proto__']) {
      await assert.rejects(control(name), { name: 'RpcError', code: -32_601 });
    }
  });
});

describe('useUpgradedAuth decides which credentials a simulation records', () => {
  const credentialsOf = async (scene: Scene, params: object): Promise<string> => {
    const { accounts, passphrase } = scene.ledger;
    const call = new Contract(accounts.nativeContract).call(
      'transfer',
      new Address(accounts.sponsor.address).toScVal(),
      new Address(Keypair.random().publicKey()).toScVal(),
      nativeToScVal(20_000_000n, { type: 'i128' }),
    );
    const source = new Account(Keypair.random().publicKey(), '1');
    const transaction = new TransactionBuilder(source, {
      fee: '100',
      networkPassphrase: passphrase,
    })
      .addOperation(call)
      .setTimeout(0)
      .build()
      .toXdr();
    const { results } = await result(scene.url, 'simulateTransaction', { transaction, ...params });
    const [first] = results as { auth: string[] }[];
    const entry = xdr.SorobanAuthorizationEntry.fromXdr(first?.auth[0] ?? '', 'base64');
    return entry.credentials.type;
  };

  it('as in stellar-rpc since 27.1', async () => {
    const scene = await startScene();
    const plain = await credentialsOf(scene, {});
    const refused = await credentialsOf(scene, { useUpgradedAuth: false });
    const upgraded = await credentialsOf(scene, { useUpgradedAuth: true });
    await scene[Symbol.asyncDispose]();
    assert.deepEqual(
      [plain, refused, upgraded],
      ['sorobanCredentialsAddress', 'sorobanCredentialsAddress', 'sorobanCredentialsAddressV2'],
    );
  });

  it('unless the network is started for clients that cannot sign them', async () => {
    const scene = await startScene({ upgradedAuth: false });
    const asked = await credentialsOf(scene, { useUpgradedAuth: true });
    await scene[Symbol.asyncDispose]();
    assert.equal(asked, 'sorobanCredentialsAddress');
  });
});

describe("friendbot works like testnet's", () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene[Symbol.asyncDispose]());

  const fund = (address: string): Promise<Response> =>
    fetch(`${scene.url}/friendbot?addr=${address}`);
  const contractBalance = (contract: string): Promise<string | undefined> =>
    scene.server
      .getAssetBalance(contract, Asset.native(), scene.ledger.passphrase)
      .then(({ balanceEntry }) => balanceEntry?.amount);

  it('tops up an account that holds less than the starting balance', async () => {
    const poor = await scene.account();
    const rest = Operation.payment({
      destination: scene.ledger.accounts.sponsor.address,
      asset: Asset.native(),
      amount: '9995',
    });
    await scene.submit(await scene.signed(poor, rest));
    const before = (await balanceOf(scene.ledger, poor.publicKey())) ?? 0n;
    assert.ok(before < 50_000_000n);
    const answer = await fund(poor.publicKey());
    assert.equal(answer.status, 200);
    assert.equal(await balanceOf(scene.ledger, poor.publicKey()), before + STARTING_BALANCE);
  });

  it('refuses one that has it, with the message that clients know', async () => {
    const rich = await scene.account();
    const answer = await fund(rich.publicKey());
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /account already funded to starting balance/);
  });

  it('funds a contract, once', async () => {
    const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
    const answer = await fund(contract);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.equal(await contractBalance(contract), String(STARTING_BALANCE));
    assert.equal((await fund(contract)).status, 400);
    assert.equal(await contractBalance(contract), String(STARTING_BALANCE));
  });

  it("the SDK's fundAddress works for both", async () => {
    const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
    const account = Keypair.random().publicKey();
    for (const address of [contract, account]) {
      const funded = await scene.server.fundAddress(address);
      assert.equal(funded.status, 'SUCCESS');
    }
  });

  it('funds accounts and contracts that ask at the same time', async () => {
    const contracts = Array.from({ length: 3 }, () =>
      StrKey.encodeContract(Keypair.random().rawPublicKey()),
    );
    const accounts = Array.from({ length: 5 }, () => Keypair.random().publicKey());
    const answers = await Promise.all([...accounts, ...contracts].map(fund));
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
  });

  it('refuses anything else', async () => {
    for (const address of ['', 'G', 'MAAA', Keypair.random().secret()]) {
      const answer = await fund(address);
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /must be a valid G or C address/);
    }
  });

  it('closes its own ledger if ledgers close manually, without including waiting transactions', async () => {
    await using manual = await startScene({ close: { kind: 'manual' } });
    const { accounts } = manual.ledger;
    const waiting = await manual.signed(
      Keypair.fromSecret(accounts.sponsor.secret),
      Operation.bumpSequence({ bumpTo: '1' }),
    );
    const { hash } = await manual.server.sendTransaction(waiting);
    const account = Keypair.random().publicKey();
    const answer = await fetch(`${manual.url}/friendbot?addr=${account}`);
    assert.equal(answer.status, 200);
    assert.equal(await balanceOf(manual.ledger, account), STARTING_BALANCE);
    assert.equal((await manual.server.getTransaction(hash)).status, 'NOT_FOUND');
    manual.ledger.closeLedger();
    assert.equal((await manual.server.getTransaction(hash)).status, 'SUCCESS');
  });
});

describe('the protocol can be chosen and upgraded in place', () => {
  const folders: string[] = [];
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'protocol-'));
    folders.push(made);
    return made;
  };
  after(() => {
    for (const one of folders) rmSync(one, { recursive: true });
  });
  const protocolOf = async (ledger: { call(method: string): Promise<unknown> }): Promise<number> =>
    ((await ledger.call('getNetwork')) as { protocolVersion: number }).protocolVersion;

  it('28 for a new network, as on testnet', async () => {
    const scene = await startScene();
    assert.equal(await protocolOf(scene.ledger), 28);
    const { version } = await scene.server.getVersionInfo();
    assert.match(version, /^28\./);
    const alice = await scene.account();
    await scene.buyUsdc(alice, '5');
    await scene[Symbol.asyncDispose]();
  });

  it('svc_upgradeProtocol upgrades a running one, whose contracts keep working', async () => {
    await using scene = await startScene({ protocol: 27 });
    assert.match((await scene.server.getVersionInfo()).version, /^27\./);
    const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
    assert.equal((await fetch(`${scene.url}/friendbot?addr=${contract}`)).status, 200);
    const { ledger } = await scene.ledger.control('svc_upgradeProtocol', { protocol: 28 });
    assert.equal(await protocolOf(scene.ledger), 28);
    assert.equal((await scene.server.getLatestLedger()).sequence, ledger);
    const other = StrKey.encodeContract(Keypair.random().rawPublicKey());
    assert.equal((await fetch(`${scene.url}/friendbot?addr=${other}`)).status, 200);
    await assert.rejects(scene.ledger.control('svc_upgradeProtocol', { protocol: 28 }), {
      code: -32_602,
    });
    await assert.rejects(scene.ledger.control('svc_upgradeProtocol', { protocol: 27 }), {
      code: -32_602,
    });
    await assert.rejects(scene.ledger.control('svc_upgradeProtocol', { protocol: 99 }), {
      code: -32_602,
    });
  });

  it('a data folder keeps its protocol, is upgraded with the option, and never goes back', async () => {
    const dataFolder = folder();
    const options = { dataFolder, port: null } as const;
    const first = await startLedger({ ...options, protocol: 27 });
    await first.close();
    const second = await startLedger(options);
    assert.equal(await protocolOf(second), 27);
    await second.close();
    const third = await startLedger({ ...options, protocol: 28 });
    assert.equal(await protocolOf(third), 28);
    third.closeLedger();
    await third.close();
    const fourth = await startLedger(options);
    assert.equal(await protocolOf(fourth), 28);
    await fourth.close();
    await assert.rejects(startLedger({ ...options, protocol: 27 }), { code: 'NEWER_PROTOCOL' });
  });

  it('a fork runs the protocol of the network it continues from', async () => {
    for (const protocol of [27, 28] as const) {
      await using origin = await startScene({ protocol, passphrase: 'another', seed: 'origin' });
      const rpcUrl = origin.ledger.urls?.rpc ?? '';
      const fork = await startLedger({ port: null, fork: { rpcUrl } });
      assert.equal(await protocolOf(fork), protocol);
      await fork.close();
      const other = protocol === 27 ? 28 : 27;
      await assert.rejects(startLedger({ port: null, fork: { rpcUrl }, protocol: other }), {
        code: 'OTHER_PROTOCOL',
      });
    }
  });

  it('a protocol without a host is refused', async () => {
    const options = { port: null, protocol: 29 } as unknown as { port: null };
    await assert.rejects(startLedger(options), { code: 'UNSUPPORTED_PROTOCOL' });
  });
});
