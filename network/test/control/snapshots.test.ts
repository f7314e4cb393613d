import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { openNetwork } from '../../src/openNetwork.ts';
import { balanceOf, entriesOf, pay, sequenceOf, totalIsWhole } from './reading.ts';

const MANUAL = { port: null, close: { kind: 'manual' } } as const;

/** A persistent entry of a contract that nobody needs. */
function storedNumber(contract: number, value: number): xdr.LedgerEntry {
  const data = new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(Buffer.alloc(32, contract))),
    key: xdr.ScVal.scvSymbol('number'),
    durability: xdr.ContractDataDurability.persistent,
    val: xdr.ScVal.scvU32(value),
  });
  return new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 0,
    data: xdr.LedgerEntryData.contractData(data),
    ext: xdr.LedgerEntryExt.v0(),
  });
}

function keyOf({ data }: xdr.LedgerEntry): string {
  if (data.type !== 'contractData') throw new TypeError('an entry of a contract');
  const { contract, key, durability } = data.contractData;
  const ledgerKey = new xdr.LedgerKeyContractData({ contract, key, durability });
  return xdr.LedgerKey.contractData(ledgerKey).toXdr('base64');
}

describe('the state goes back to a snapshot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
  const dataFolder = join(folder, 'data');
  let ledger: RunningLedger;
  const alice = Keypair.random();

  before(async () => {
    ledger = await startLedger({ ...MANUAL, dataFolder });
    const account = alice.publicKey();
    await ledger.control('svc_setBalance', { account, asset: 'native', amount: '100' });
  });
  after(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('balances, sequence numbers and new entries, as often as asked', async () => {
    const { sponsor } = ledger.accounts;
    const { id } = await ledger.control('svc_snapshot');
    const sequence = await sequenceOf(ledger, alice.publicKey());
    for (let round = 0; round < 2; round++) {
      const newcomer = Keypair.random().publicKey();
      await ledger.control('svc_setBalance', { account: newcomer, asset: 'native', amount: '5' });
      assert.equal(await pay(ledger, alice, sponsor.address, '60'), 'SUCCESS');
      await ledger.control('svc_revert', { id });
      assert.equal(await balanceOf(ledger, alice.publicKey()), 1_000_000_000n);
      assert.equal(await sequenceOf(ledger, alice.publicKey()), sequence);
      assert.equal(await balanceOf(ledger, newcomer), undefined);
    }
  });

  it('ledgers continue: no closed ledger is undone', async () => {
    const { id, ledger: then } = await ledger.control('svc_snapshot');
    await ledger.control('svc_advanceLedgers', { count: 3 });
    const reverted = await ledger.control('svc_revert', { id });
    assert.equal(reverted.ledger, then + 4);
  });

  it('entries have as many ledgers left to live as they had', async () => {
    const entry = storedNumber(1, 1);
    const { ledger: now } = await ledger.control('svc_closeLedger');
    await ledger.control('svc_setEntry', {
      entry: entry.toXdr('base64'),
      liveUntilLedger: now + 21,
    });
    const { id } = await ledger.control('svc_snapshot');
    const lifeLeft = async (): Promise<number> => {
      const { sequence } = (await ledger.call('getLatestLedger')) as { sequence: number };
      const [found] = await entriesOf(ledger, keyOf(entry));
      return (found?.liveUntilLedgerSeq ?? 0) - sequence;
    };
    assert.equal(await lifeLeft(), 20);
    await ledger.control('svc_advanceLedgers', { count: 5 });
    assert.equal(await lifeLeft(), 15);
    await ledger.control('svc_revert', { id });
    assert.equal(await lifeLeft(), 20);
  });

  it('entries archived since are live again, and entries restored since are archived again', async () => {
    const [kept, passing] = [storedNumber(2, 2), storedNumber(3, 3)];
    const { ledger: now } = await ledger.control('svc_closeLedger');
    const put = (entry: xdr.LedgerEntry, liveUntilLedger: number) =>
      ledger.control('svc_setEntry', { entry: entry.toXdr('base64'), liveUntilLedger });
    await put(kept, now + 20);
    const live = await ledger.control('svc_snapshot');
    await put(passing, now + 10);
    await ledger.control('svc_advanceLedgers', { count: 30 });
    const archived = await ledger.control('svc_snapshot');
    const untilOf = async (entry: xdr.LedgerEntry): Promise<number | undefined> =>
      (await entriesOf(ledger, keyOf(entry)))[0]?.liveUntilLedgerSeq;
    assert.equal(await untilOf(kept), 0);
    assert.equal(await untilOf(passing), 0);

    await ledger.control('svc_revert', { id: live.id });
    assert.ok(((await untilOf(kept)) ?? 0) > now + 30);
    assert.equal(await untilOf(passing), undefined);
    await assert.rejects(
      ledger.control('svc_revert', { id: archived.id }),
      /no snapshot with this id is kept/,
    );

    const dump = await ledger.control('svc_dumpState');
    await ledger.control('svc_advanceLedgers', { count: 30 });
    const dumpArchived = await ledger.control('svc_dumpState');
    await ledger.control('svc_loadState', dump);
    assert.ok(((await untilOf(kept)) ?? 0) > 0);
    await ledger.control('svc_loadState', dumpArchived);
    assert.equal(await untilOf(kept), 0);
  });

  it('a killed process continues from the same state when it starts again', async () => {
    const copy = join(folder, 'copy');
    cpSync(dataFolder, copy, { recursive: true });
    rmSync(join(copy, 'ledger', 'lock'), { force: true, recursive: true });
    const { id } = (await ledger.call('getLatestLedger')) as { id: string };
    const network = await openNetwork({ ...MANUAL, dataFolder: copy });
    const { service } = network;
    assert.equal(service.history.latest.hash, id);
    const { header } = service.engine.state;
    assert.deepEqual(service.engine.state.stateHash(), Buffer.from(header.bucketListHash.value));
    // The entry that lives again and is archived again, and the one of the rule before.
    assert.equal(service.engine.state.archivedEntries().size, 2);
    totalIsWhole(network);
    network.close();
  });
});

describe('a state is carried from one network to another', () => {
  it('as one text, while the other network’s ledgers and friendbot continue', async () => {
    const first = await startLedger({ ...MANUAL, seed: 'one' });
    const second = await startLedger({ ...MANUAL, seed: 'two' });
    const account = Keypair.random().publicKey();
    await first.control('svc_setBalance', { account, asset: 'native', amount: '42' });
    await first.control('svc_advanceLedgers', { count: 10 });
    const closed = await second.control('svc_loadState', await first.control('svc_dumpState'));
    assert.equal(await balanceOf(second, account), 420_000_000n);
    assert.equal(
      await balanceOf(second, first.accounts.sponsor.address),
      await balanceOf(first, first.accounts.sponsor.address),
    );
    assert.ok(((await balanceOf(second, second.accounts.friendbot.address)) ?? 0n) > 0n);
    assert.equal(closed.ledger, 3);
    await Promise.all([first.close(), second.close()]);
  });

  it('and refused if it does not fit, or is not a state', async () => {
    const ledger = await startLedger(MANUAL);
    const dump = await ledger.control('svc_dumpState');
    const load = (params: object) => ledger.control('svc_loadState', { ...dump, ...params });
    await assert.rejects(load({ passphrase: 'another' }), /belongs to the network "another"/);
    await assert.rejects(load({ state: 'AAAA' }), /the output of svc_dumpState/);
    await assert.rejects(load({ state: `${dump.state.slice(0, -8)}AAAAAAA=` }), /svc_dumpState/);
    await ledger.close();
  });
});
