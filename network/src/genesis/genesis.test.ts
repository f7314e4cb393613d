import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { newHost } from '../../test/helpers/testHost.ts';
import { LedgerEngine } from '../close/index.ts';
import { accountKeyId, type LedgerState, ledgerKeyId, ttlKeyId } from '../state/index.ts';
import { assetContractEntry } from './assetContractEntry.ts';
import { genesisAccounts, genesisKeys, genesisState, networkIdOf } from './index.ts';
import { NATIVE, USDC } from './usdc.ts';

const networkId = networkIdOf('Test SDF Network ; September 2015');
const keysOf = (seed: string) => genesisKeys(networkId, seed);
const keys = keysOf('a seed');

function entriesOf(state: LedgerState): xdr.LedgerEntryData[] {
  return [...state.ids()].flatMap((id) => state.peek(id)?.data ?? []);
}

describe('the genesis of a network', () => {
  const state = genesisState(27, networkId, keys);

  it('is the same for the same seed, and another for another', () => {
    const hash = state.header.toXdr('base64');
    assert.equal(genesisState(27, networkId, keysOf('a seed')).header.toXdr('base64'), hash);
    assert.notEqual(genesisState(27, networkId, keysOf('b seed')).header.toXdr('base64'), hash);
  });

  it('has keys that match their secrets', () => {
    const { friendbot, channels, sponsor, marketMaker, root } = genesisAccounts(networkId, keys);
    assert.equal(channels.length, 50);
    for (const { address, secret } of [friendbot, sponsor, marketMaker, root, ...channels]) {
      assert.equal(Keypair.fromSecret(secret).publicKey(), address);
    }
    assert.equal(root.secret, Keypair.master('Test SDF Network ; September 2015').secret());
    const signature = keys.sponsor.sign(Buffer.from('message'));
    assert.ok(Keypair.fromSecret(sponsor.secret).verify(Buffer.from('message'), signature));
  });

  it('names the contracts of USDC and XLM as testnet does', () => {
    const { usdcContract, nativeContract } = genesisAccounts(networkId, keys);
    assert.equal(usdcContract, 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA');
    assert.equal(nativeContract, 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC');
  });

  it('distributes all existing coins', () => {
    const balances = entriesOf(state).map((data) =>
      data.type === 'account' ? data.account.balance : 0n,
    );
    const sum = balances.reduce((all, one) => all + one, 0n);
    assert.equal(sum, state.header.totalCoins);
    assert.equal(state.header.totalCoins, 10n ** 18n);
  });

  it('has the hash of its state in its header', () => {
    assert.deepEqual(Buffer.from(state.header.bucketListHash.value), state.stateHash());
  });

  it('makes the market maker reserve its offers’ amounts', () => {
    const account = state.peek(accountKeyId(keys.marketMaker.publicKey));
    assert.ok(account?.data.type === 'account' && account.data.account.ext.type === 'v1');
    const offers = entriesOf(state).flatMap((data) => (data.type === 'offer' ? data.offer : []));
    const sold = (type: xdr.Asset['type']): bigint =>
      offers
        .filter(({ selling }) => selling.type === type)
        .reduce((sum, { amount }) => sum + amount, 0n);
    const bought = (type: xdr.Asset['type']): bigint =>
      offers
        .filter(({ buying }) => buying.type === type)
        .reduce((sum, { amount, price }) => sum + (amount * BigInt(price.n)) / BigInt(price.d), 0n);
    const { liabilities } = account.data.account.ext.v1;
    assert.equal(liabilities.selling, sold('assetTypeNative'));
    assert.equal(liabilities.buying, bought('assetTypeNative'));
    assert.equal(account.data.account.numSubEntries, offers.length + 1);
    assert.equal(state.header.idPool, BigInt(offers.length));
    const line = entriesOf(state).find((data) => data.type === 'trustline');
    assert.ok(line?.type === 'trustline' && line.trustLine.ext.type === 'v1');
    assert.equal(line.trustLine.ext.v1.liabilities.selling, sold('assetTypeCreditAlphanum4'));
    assert.equal(line.trustLine.ext.v1.liabilities.buying, bought('assetTypeCreditAlphanum4'));
  });

  it('has offers on both sides of XLM/USDC that do not cross', () => {
    const best = (selling: xdr.Asset, buying: xdr.Asset): xdr.Price => {
      const data = state.peekBestOffer(selling, buying)?.data;
      assert.ok(data?.type === 'offer');
      return data.offer.price;
    };
    const ask = best(USDC, NATIVE);
    const bid = best(NATIVE, USDC);
    assert.ok(BigInt(ask.n) * BigInt(bid.n) > BigInt(ask.d) * BigInt(bid.d));
  });
});

describe('the asset contracts of genesis', () => {
  let engine: LedgerEngine;

  before(async () => {
    const host = await newHost(27);
    const state = genesisState(27, networkId, keys);
    const recorded = { classicEvents: true, diagnostics: false, resourceFeeMeta: false };
    engine = new LedgerEngine(state, { networkId, host, ...recorded });
  });

  for (const [name, asset] of [
    ['XLM', NATIVE],
    ['USDC', USDC],
  ] as const) {
    it(`equal what the host writes when somebody deploys them: ${name}`, () => {
      const ours = xdr.LedgerEntryData.contractData(assetContractEntry(networkId, asset));
      const { host } = engine.environment();
      const outcome = host.simulateInvoke({
        ledger: { sequence: 1, closeTime: 0n },
        hostFunction: xdr.HostFunction.hostFunctionTypeCreateContract(
          new xdr.CreateContractArgs({
            contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset),
            executable: xdr.ContractExecutable.contractExecutableStellarAsset(),
          }),
        ).toXdr(),
        sourceAccount: keys.sponsor.publicKey.toXdr(),
        auth: { mode: 'record', allowNonRoot: false, addressV2: false },
        prngSeed: new Uint8Array(32),
        instructionLeeway: 0,
        diagnostics: false,
        // Of genesis, everything but the contracts.
        read: (key) => {
          const { type } = xdr.LedgerKey.fromXdr(key);
          if (type === 'contractData') return null;
          const entry = engine.state.peek(ledgerKeyId(xdr.LedgerKey.fromXdr(key)));
          return entry === undefined ? null : { entry: entry.toXdr(), liveUntil: null };
        },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message);
      const written = outcome.stateChanges.flatMap(({ after }) =>
        after === null ? [] : xdr.LedgerEntry.fromXdr(after).data,
      );
      assert.deepEqual(
        written.map((data) => data.toXdr('base64')),
        [ours.toXdr('base64')],
      );
    });

    it(`live as long as the network lets them: ${name}`, () => {
      const { contract, key, durability } = assetContractEntry(networkId, asset);
      const id = ledgerKeyId(
        xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability })),
      );
      const ttl = engine.state.peek(ttlKeyId(id));
      assert.ok(ttl?.data.type === 'ttl');
      assert.equal(ttl.data.ttl.liveUntilLedgerSeq, 3_110_400);
    });
  }
});
