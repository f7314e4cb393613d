import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, Keypair, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { balanceOf, pay } from './reading.ts';

/** Almost as much XLM as one account can hold. */
const NEARLY_ALL = '922337203685';
const CONTRACT = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE';
const TOO_MUCH_XLM = { code: -32602, message: /more than a ledger can record/ };

const entryOf = (data: xdr.LedgerEntryData): string =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() }).toXdr(
    'base64',
  );

const publicKey = (key: Keypair): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(key.rawPublicKey());

function accountEntry(key: Keypair, values: { balance: bigint; numSubEntries?: number }): string {
  return entryOf(
    xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId: publicKey(key),
        seqNum: 1n,
        numSubEntries: 0,
        inflationDest: null,
        flags: 0,
        homeDomain: '',
        thresholds: Uint8Array.of(1, 0, 0, 0),
        signers: [],
        ext: xdr.AccountEntryExt.v0(),
        ...values,
      }),
    ),
  );
}

describe('What no ledger can hold is refused before anything changes', () => {
  const options = { port: null, close: { kind: 'manual' }, seed: 'unstorable' } as const;
  let ledger: RunningLedger;
  const alice = Keypair.random();

  before(async () => {
    ledger = await startLedger(options);
    await ledger.control('svc_setBalance', {
      account: alice.publicKey(),
      asset: 'native',
      amount: '100',
    });
  });
  after(() => ledger.close());

  /** Asserts that the call is refused, no ledger closed, and the network continues. */
  async function refused(call: () => Promise<unknown>, error: object): Promise<void> {
    const { sequence } = (await ledger.call('getLatestLedger')) as { sequence: number };
    const { state } = await ledger.control('svc_dumpState');
    await assert.rejects(call(), error);
    assert.equal((await ledger.control('svc_dumpState')).state, state);
    const latest = (await ledger.call('getLatestLedger')) as { sequence: number };
    assert.equal(latest.sequence, sequence);
    const { sponsor } = ledger.accounts;
    assert.equal(await pay(ledger, alice, sponsor.address, '1'), 'SUCCESS');
    assert.equal(((await ledger.call('getHealth')) as { status: string }).status, 'healthy');
  }

  const setBalance = (account: string, amount: string, asset = 'native') =>
    ledger.control('svc_setBalance', { account, asset, amount });

  it('one account with all the XLM that it can hold, in addition to that of the others', async () => {
    await refused(() => setBalance(alice.publicKey(), NEARLY_ALL), TOO_MUCH_XLM);
  });

  it('two accounts that together exceed it, of which the first is accepted', async () => {
    const [one, two] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
    const { id } = await ledger.control('svc_snapshot');
    await setBalance(one, '500000000000');
    await refused(() => setBalance(two, '500000000000'), TOO_MUCH_XLM);
    assert.equal(await balanceOf(ledger, two), undefined);
    await ledger.control('svc_revert', { id });
  });

  it('a contract that holds too much XLM', async () => {
    await refused(() => setBalance(CONTRACT, NEARLY_ALL), TOO_MUCH_XLM);
    await refused(() => setBalance(CONTRACT, '9'.repeat(30)), TOO_MUCH_XLM);
  });

  it('an entry of an account, a claimable balance or a contract with too much XLM', async () => {
    const balance = 9_223_372_036_850_000_000n;
    const put = (entry: string) => ledger.control('svc_setEntry', { entry });
    await refused(() => put(accountEntry(Keypair.random(), { balance })), TOO_MUCH_XLM);
    const claimable = new xdr.ClaimableBalanceEntry({
      balanceId: xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new xdr.Hash(Buffer.alloc(32, 7))),
      claimants: [],
      asset: xdr.Asset.assetTypeNative(),
      amount: balance,
      ext: xdr.ClaimableBalanceEntryExt.v0(),
    });
    await refused(
      () => put(entryOf(xdr.LedgerEntryData.claimableBalance(claimable))),
      TOO_MUCH_XLM,
    );
    for (const amount of [balance, 2n ** 127n - 1n, -(2n ** 127n)]) {
      const held = new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: xdr.ScAddress.scAddressTypeContract(
          new xdr.ContractId(StrKey.decodeContract(Asset.native().contractId(ledger.passphrase))),
        ),
        key: nativeToScVal(['Balance', CONTRACT], { type: ['symbol', 'address'] }),
        durability: xdr.ContractDataDurability.persistent,
        val: nativeToScVal({ amount }, { type: { amount: ['symbol', 'i128'] } }),
      });
      await refused(() => put(entryOf(xdr.LedgerEntryData.contractData(held))), TOO_MUCH_XLM);
    }
  });

  it('an offer that leaves no number for the next one', async () => {
    const offer = new xdr.OfferEntry({
      sellerId: publicKey(alice),
      offerId: 2n ** 63n - 1n,
      selling: xdr.Asset.assetTypeNative(),
      buying: new Asset('USDC', ledger.accounts.usdcIssuer).toXdrObject(),
      amount: 1n,
      price: new xdr.Price({ n: 1, d: 1 }),
      flags: 0,
      ext: xdr.OfferEntryExt.v0(),
    });
    const entry = entryOf(xdr.LedgerEntryData.offer(offer));
    await refused(() => ledger.control('svc_setEntry', { entry }), {
      code: -32602,
      message: /leaves too few numbers for later offers/,
    });
  });

  it('another trustline of an account that cannot count one more', async () => {
    const crowded = Keypair.random();
    const entry = accountEntry(crowded, { balance: 1_000_000_000n, numSubEntries: 0xffffffff });
    await ledger.control('svc_setEntry', { entry });
    const usdc = `USDC:${ledger.accounts.usdcIssuer}`;
    await refused(() => setBalance(crowded.publicKey(), '1', usdc), {
      code: -32602,
      message: /as many entries as it can count/,
    });
  });

  it('a dump whose XLM and that of the own accounts together exceed it', async () => {
    const other = await startLedger({ ...options, seed: 'another seed' });
    await other.control('svc_setBalance', {
      account: alice.publicKey(),
      asset: 'native',
      amount: '820000000000',
    });
    const dump = await other.control('svc_dumpState');
    // It is a good dump, which its own network loads.
    await other.control('svc_loadState', dump);
    await other.close();
    await refused(() => ledger.control('svc_loadState', dump), TOO_MUCH_XLM);
  });

  it('time after the year 9999, which no client can read', async () => {
    const { id } = await ledger.control('svc_snapshot');
    for (let centuries = 0; centuries < 79; centuries++) {
      await ledger.control('svc_advanceTime', { seconds: 3_155_760_000 });
    }
    await refused(() => ledger.control('svc_advanceTime', { seconds: 3_155_760_000 }), {
      code: -32602,
      message: /year 9999/,
    });
    await ledger.control('svc_revert', { id });
  });
});
