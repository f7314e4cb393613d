import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  Account,
  Address,
  Asset,
  Keypair,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { openNetwork } from '../../src/openNetwork.ts';
import { balanceOf, entriesOf, pay, sequenceOf, totalIsWhole } from './reading.ts';

const USDC_CONTRACT_HOLDER = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE';

describe('the state is changed by hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'control-'));
  const options = { dataFolder: folder, port: null, close: { kind: 'manual' }, seed: 's' } as const;
  let ledger: RunningLedger;
  const alice = Keypair.random();

  before(async () => {
    ledger = await startLedger(options);
  });
  after(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('svc_setBalance creates an account, and changes its balance', async () => {
    const account = alice.publicKey();
    await ledger.control('svc_setBalance', { account, asset: 'native', amount: '12.5' });
    assert.equal(await balanceOf(ledger, account), 125_000_000n);
    await ledger.control('svc_setBalance', { account, asset: 'native', amount: '1000' });
    assert.equal(await balanceOf(ledger, account), 10_000_000_000n);
  });

  it('the account is like any other: it can pay', async () => {
    const { address } = ledger.accounts.sponsor;
    const before = (await balanceOf(ledger, address)) ?? 0n;
    assert.equal(await pay(ledger, alice, address, '1'), 'SUCCESS');
    assert.equal(await balanceOf(ledger, address), before + 10_000_000n);
  });

  it('svc_setBalance opens a trustline for any other asset', async () => {
    const { usdcIssuer } = ledger.accounts;
    const asset = `USDC:${usdcIssuer}`;
    const account = alice.publicKey();
    await ledger.control('svc_setBalance', { account, asset, amount: '7' });
    assert.equal(await balanceOf(ledger, account, new Asset('USDC', usdcIssuer)), 70_000_000n);
    const { sponsor } = ledger.accounts;
    await ledger.control('svc_setBalance', { account: sponsor.address, asset, amount: '0' });
    const usdc = new Asset('USDC', usdcIssuer);
    assert.equal(await pay(ledger, alice, sponsor.address, '3', usdc), 'SUCCESS');
    assert.equal(await balanceOf(ledger, sponsor.address, usdc), 30_000_000n);
  });

  it("svc_setBalance sets contracts' balances in the asset's contract", async () => {
    const closed = await ledger.control('svc_setBalance', {
      account: USDC_CONTRACT_HOLDER,
      asset: 'native',
      amount: '2.5',
    });
    assert.ok(closed.ledger > 0);
  });

  it('svc_setBalance refuses impossible values', async () => {
    const account = alice.publicKey();
    const { usdcIssuer } = ledger.accounts;
    const refused = async (params: object, message: RegExp): Promise<void> => {
      const given = { account, asset: 'native', amount: '1', ...params };
      await assert.rejects(ledger.control('svc_setBalance', given), { code: -32602, message });
    };
    await refused({ amount: '1.12345678' }, /at most 7 decimal places/);
    await refused({ amount: '-1' }, /decimal number/);
    await refused({ amount: '922337203685.4775808' }, /more than an account can hold/);
    await refused({ account: 'GABC' }, /address G… or C…/);
    await refused({ asset: 'USDC' }, /native or CODE:ISSUER/);
    await refused(
      { account: usdcIssuer, asset: `USDC:${usdcIssuer}` },
      /an issuer cannot hold its own asset/,
    );
    const unknown = Keypair.random().publicKey();
    await refused({ account: unknown, asset: `USDC:${usdcIssuer}` }, /the account does not exist/);
    await refused({ also: 1 }, /also is not a parameter of this method/);
  });

  it("svc_setBalance says that the asset's contract is archived, or was never deployed", async () => {
    const { usdcIssuer } = ledger.accounts;
    const hold = (asset: string) =>
      ledger.control('svc_setBalance', { account: USDC_CONTRACT_HOLDER, asset, amount: '1' });
    await assert.rejects(hold(`OTHER:${usdcIssuer}`), { code: -32602, message: /is not deployed/ });
    const { id } = await ledger.control('svc_snapshot');
    const contract = new Asset('USDC', usdcIssuer).contractId(ledger.passphrase);
    const instance = xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: Address.fromString(contract).toScAddress(),
        key: xdr.ScVal.scvLedgerKeyContractInstance(),
        durability: xdr.ContractDataDurability.persistent,
      }),
    );
    await ledger.control('svc_expireEntry', { key: instance.toXdr('base64') });
    const archived = { code: -32602, message: /contract is archived; restore it/ };
    await assert.rejects(hold(`USDC:${usdcIssuer}`), archived);
    await ledger.control('svc_closeLedger');
    await assert.rejects(hold(`USDC:${usdcIssuer}`), archived);
    await ledger.control('svc_revert', { id });
  });

  it('svc_setEntry puts an entry unchanged, and removes it', async () => {
    const data = new xdr.DataEntry({
      accountId: xdr.PublicKey.publicKeyTypeEd25519(alice.rawPublicKey()),
      dataName: 'note',
      dataValue: Buffer.from('by hand'),
      ext: xdr.DataEntryExt.v0(),
    });
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 0,
      data: xdr.LedgerEntryData.data(data),
      ext: xdr.LedgerEntryExt.v0(),
    });
    const { ledger: sequence } = await ledger.control('svc_setEntry', {
      entry: entry.toXdr('base64'),
    });
    const key = xdr.LedgerKey.data(
      new xdr.LedgerKeyData({ accountId: data.accountId, dataName: 'note' }),
    ).toXdr('base64');
    const [found] = await entriesOf(ledger, key);
    assert.equal(found?.lastModifiedLedgerSeq, sequence);
    assert.equal(found?.xdr, entry.data.toXdr('base64'));
    await ledger.control('svc_setEntry', { remove: key });
    assert.deepEqual(await entriesOf(ledger, key), []);
    await assert.rejects(ledger.control('svc_setEntry', { remove: key }), /no live entry/);
  });

  it('svc_setEntry sets the last ledger of a contract entry, even an earlier one', async () => {
    const { usdcContract } = ledger.accounts;
    const key = xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: new Address(usdcContract).toScAddress(),
        key: xdr.ScVal.scvLedgerKeyContractInstance(),
        durability: xdr.ContractDataDurability.persistent,
      }),
    ).toXdr('base64');
    const [instance] = await entriesOf(ledger, key);
    assert.ok(instance);
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq: 0,
      data: xdr.LedgerEntryData.fromXdr(instance.xdr, 'base64'),
      ext: xdr.LedgerEntryExt.v0(),
    }).toXdr('base64');
    const { sequence } = (await ledger.call('getLatestLedger')) as { sequence: number };
    await ledger.control('svc_setEntry', { entry, liveUntilLedger: sequence + 50 });
    const [sooner] = await entriesOf(ledger, key);
    assert.equal(sooner?.liveUntilLedgerSeq, sequence + 50);
  });

  it('all changes are kept after a restart, with the same hash chain, and no coin is lost', async () => {
    const { id } = (await ledger.call('getLatestLedger')) as { id: string };
    await ledger.close();
    const network = await openNetwork(options);
    const { state } = network.service.engine;
    assert.equal(network.service.history.latest.hash, id);
    assert.deepEqual(state.stateHash(), Buffer.from(state.header.bucketListHash.value));
    totalIsWhole(network);
    network.close();
    ledger = await startLedger(options);
    assert.ok(((await balanceOf(ledger, alice.publicKey())) ?? 0n) > 0n);
  });
});

/** Pays 1 XLM from root to the sponsor in a transaction that nobody signed. */
async function unsignedPayment(ledger: RunningLedger): Promise<string> {
  const { root, sponsor } = ledger.accounts;
  const sequence = await sequenceOf(ledger, root.address);
  const payment = Operation.payment({
    destination: sponsor.address,
    asset: Asset.native(),
    amount: '1',
  });
  const transaction = new TransactionBuilder(new Account(root.address, sequence), {
    fee: '100',
    networkPassphrase: ledger.passphrase,
  })
    .addOperation(payment)
    .setTimeout(0)
    .build();
  const answer = (await ledger.call('sendTransaction', {
    transaction: transaction.toXdr(),
  })) as { status: string };
  if (answer.status === 'PENDING') ledger.closeLedger();
  return answer.status;
}

describe('an impersonated account needs no signature', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ port: null });
  });
  after(() => ledger.close());

  it('while it is impersonated, and neither before nor after', async () => {
    const { root, sponsor } = ledger.accounts;
    assert.equal(await unsignedPayment(ledger), 'ERROR');
    const before = (await balanceOf(ledger, sponsor.address)) ?? 0n;
    const account = root.address;
    assert.deepEqual(await ledger.control('svc_impersonate', { account, on: true }), {
      accounts: [account],
    });
    assert.equal(await unsignedPayment(ledger), 'PENDING');
    assert.equal(await balanceOf(ledger, sponsor.address), before + 10_000_000n);
    await ledger.control('svc_impersonate', { account, on: false });
    assert.equal(await unsignedPayment(ledger), 'ERROR');
  });
});

describe('if everybody is impersonated, no account needs a signature', () => {
  it('until it is turned off; a reset restores the initial setting', async () => {
    const ledger = await startLedger({ port: null, autoImpersonate: true });
    after(() => ledger.close());
    assert.equal(await unsignedPayment(ledger), 'PENDING');
    assert.deepEqual(await ledger.control('svc_autoImpersonate', { on: false }), { on: false });
    assert.equal(await unsignedPayment(ledger), 'ERROR');
    // Impersonating one account works independently.
    const account = ledger.accounts.root.address;
    await ledger.control('svc_impersonate', { account, on: true });
    assert.equal(await unsignedPayment(ledger), 'PENDING');
    await ledger.control('svc_impersonate', { account, on: false });
    await ledger.control('svc_reset');
    assert.equal(await unsignedPayment(ledger), 'PENDING');
  });

  it('is off by default, and accepts only true or false', async () => {
    const ledger = await startLedger({ port: null });
    after(() => ledger.close());
    assert.equal(await unsignedPayment(ledger), 'ERROR');
    await ledger.control('svc_autoImpersonate', { on: true });
    assert.equal(await unsignedPayment(ledger), 'PENDING');
    await ledger.control('svc_reset');
    assert.equal(await unsignedPayment(ledger), 'ERROR');
    await assert.rejects(ledger.control('svc_autoImpersonate', { on: 'yes' } as never), /on/);
  });
});
