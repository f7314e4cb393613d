import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as sdk17 from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';

/** What the test uses of the SDK; all versions have it. */
type Sdk = Pick<
  typeof sdk17,
  | 'Address'
  | 'Asset'
  | 'Contract'
  | 'Keypair'
  | 'Operation'
  | 'TransactionBuilder'
  | 'nativeToScVal'
  | 'rpc'
>;

/** Those that the published x402 packages and wallets use. Where their types differ, the test does not look. */
const SDKS: readonly { readonly version: number; load(): Promise<Sdk> }[] = [
  { version: 14, load: async () => (await import('stellar-sdk-14')) as unknown as Sdk },
  { version: 15, load: async () => (await import('stellar-sdk-15')) as unknown as Sdk },
  { version: 17, load: async () => sdk17 },
];

for (const { version, load } of SDKS) {
  describe(`the unmodified RPC client of @stellar/stellar-sdk ${version}`, () => {
    let ledger: RunningLedger;
    let sdk: Sdk;
    let server: sdk17.rpc.Server;
    let owner: sdk17.Keypair;
    let usdc: sdk17.Asset;

    before(async () => {
      ledger = await startLedger({ port: 0 });
      sdk = await load();
      server = new sdk.rpc.Server(ledger.urls?.rpc ?? '', { allowHttp: true });
      usdc = new sdk.Asset('USDC', ledger.accounts.usdcIssuer);
      owner = sdk.Keypair.random();
    });
    after(() => ledger.close());

    async function send(...operations: sdk17.xdr.Operation[]) {
      const account = await server.getAccount(owner.publicKey());
      const builder = new sdk.TransactionBuilder(account, {
        fee: '100',
        networkPassphrase: ledger.passphrase,
      });
      for (const operation of operations) builder.addOperation(operation);
      return builder.setTimeout(60).build();
    }

    async function settle(transaction: sdk17.Transaction) {
      transaction.sign(owner);
      const { hash } = await server.sendTransaction(transaction);
      return await server.pollTransaction(hash, { attempts: 20, sleepStrategy: () => 10 });
    }

    it('finds friendbot and gets an account', async () => {
      const account = await server.requestAirdrop(owner.publicKey());
      const { sequence } = await server.getLatestLedger();
      assert.ok(BigInt(account.sequenceNumber()) >> 32n <= BigInt(sequence));
      assert.ok(BigInt(account.sequenceNumber()) > 0n);
    });

    it('opens a trustline and buys USDC on the DEX', async () => {
      const trust = await settle(await send(sdk.Operation.changeTrust({ asset: usdc })));
      assert.equal(trust.status, 'SUCCESS');
      const buy = sdk.Operation.pathPaymentStrictReceive({
        sendAsset: sdk.Asset.native(),
        sendMax: '100',
        destination: owner.publicKey(),
        destAsset: usdc,
        destAmount: '2',
      });
      assert.equal((await settle(await send(buy))).status, 'SUCCESS');
    });

    it('prepares a contract call, sends it, and reads its return value and events', async () => {
      const transfer = new sdk.Contract(ledger.accounts.usdcContract).call(
        'transfer',
        new sdk.Address(owner.publicKey()).toScVal(),
        new sdk.Address(ledger.accounts.usdcIssuer).toScVal(),
        sdk.nativeToScVal(5n, { type: 'i128' }),
      );
      const prepared = await server.prepareTransaction(await send(transfer));
      const settled = await settle(prepared);
      assert.equal(settled.status, 'SUCCESS');
      assert.ok(settled.status === 'SUCCESS' && settled.returnValue);
      const { events } = await server.getEvents({
        startLedger: settled.ledger,
        filters: [{ type: 'contract', contractIds: [ledger.accounts.usdcContract] }],
      });
      assert.equal(events.length, 1);
      assert.equal(events[0]?.txHash, settled.txHash);
    });

    it('reads everything else', async () => {
      assert.equal((await server.getHealth()).status, 'healthy');
      assert.equal((await server.getNetwork()).passphrase, ledger.passphrase);
      assert.equal((await server.getVersionInfo()).protocolVersion, 28);
      assert.ok((await server.getFeeStats()).latestLedger >= 2);
      const { ledgers } = await server.getLedgers({ startLedger: 2 });
      assert.ok(ledgers.length >= 4);
      const { transactions } = await server.getTransactions({ startLedger: 2 });
      assert.equal(transactions.length, 4);
    });
  });
}
