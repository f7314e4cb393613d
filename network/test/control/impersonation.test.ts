import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  Account,
  authorizeEntry,
  Contract,
  Keypair,
  nativeToScVal,
  Operation,
  rpc,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { failingContract } from '../helpers/failingContract.ts';
import { deploy } from '../network/deploy.ts';
import { type Scene, startScene } from '../network/scene.ts';

const SMART_ACCOUNT = readFileSync(
  new URL('../../../contracts/wasm/smart-account.wasm', import.meta.url),
);

describe('an impersonated account', () => {
  it('authorizes calls of contracts as the source of the transaction, without its signature', async () => {
    await using scene = await startScene();
    const { server, ledger, usdc } = scene;
    const [alice, bob] = [await scene.account(), await scene.account()];
    await scene.buyUsdc(alice, '5');
    await scene.buyUsdc(bob, '1');
    const transfer = new Contract(ledger.accounts.usdcContract).call(
      'transfer',
      nativeToScVal(alice.publicKey(), { type: 'address' }),
      nativeToScVal(bob.publicKey(), { type: 'address' }),
      nativeToScVal(20_000_000n, { type: 'i128' }),
    );
    const call = async () => {
      const source = await server.getAccount(alice.publicKey());
      const built = new TransactionBuilder(source, {
        fee: '100',
        networkPassphrase: ledger.passphrase,
      })
        .addOperation(transfer)
        .setTimeout(60)
        .build();
      return server.prepareTransaction(built);
    };
    const account = alice.publicKey();
    assert.equal((await server.sendTransaction(await call())).status, 'ERROR');
    const signedByAnother = await call();
    signedByAnother.sign(Keypair.random());
    assert.equal((await server.sendTransaction(signedByAnother)).status, 'ERROR');

    await ledger.control('svc_impersonate', { account, on: true });
    const result = await scene.submit(await call());
    assert.equal(result.status, 'SUCCESS');
    const { balanceEntry } = await server.getAssetBalance(bob.publicKey(), usdc);
    assert.equal(balanceEntry?.amount, '30000000');
    await ledger.control('svc_impersonate', { account, on: false });
    assert.equal((await server.sendTransaction(await call())).status, 'ERROR');
  });
});

/** A transfer of 1 USDC by a contract call that somebody else sends, with the authorization entries that simulation records. */
async function unsigned(scene: Scene, from: string, to: string, sender: Keypair) {
  const { server, ledger } = scene;
  const source = await server.getAccount(sender.publicKey());
  const call = new Contract(ledger.accounts.usdcContract).call(
    'transfer',
    nativeToScVal(from, { type: 'address' }),
    nativeToScVal(to, { type: 'address' }),
    nativeToScVal(10_000_000n, { type: 'i128' }),
  );
  const options = { fee: '100', networkPassphrase: ledger.passphrase };
  const built = new TransactionBuilder(source, options).addOperation(call).setTimeout(60).build();
  const recorded = await server.prepareTransaction(built);
  const { sequence } = await server.getLatestLedger();
  const entries = entriesOf(recorded).map((entry) => expiring(entry, sequence + 60));
  return { prepared: rebuilt(scene, recorded, recorded, entries), entries };
}

/** A transaction with a call whose entries are recorded wherever they are asked for, and not signed. */
async function nested(scene: Scene, sender: Keypair, call: xdr.Operation): Promise<Transaction> {
  const { server, ledger } = scene;
  const source = await server.getAccount(sender.publicKey());
  const options = { fee: '100', networkPassphrase: ledger.passphrase };
  const built = new TransactionBuilder(source, options).addOperation(call).setTimeout(60).build();
  const simulated = await server.simulateTransaction(built, undefined, 'record_allow_nonroot');
  if ('error' in simulated) throw new Error(simulated.error);
  const recorded = rpc.assembleTransaction(built, simulated).build();
  const { sequence } = await server.getLatestLedger();
  const entries = entriesOf(recorded).map((entry) => expiring(entry, sequence + 60));
  return rebuilt(scene, recorded, recorded, entries);
}

function entriesOf({ operations }: Transaction): xdr.SorobanAuthorizationEntry[] {
  const [operation] = operations;
  assert.equal(operation?.type, 'invokeHostFunction');
  return [...(operation.auth ?? [])];
}

function signatureOf(entry: xdr.SorobanAuthorizationEntry | undefined): string | undefined {
  const credentials = entry?.credentials;
  if (credentials?.type === 'sorobanCredentialsAddress') return credentials.address.signature.type;
  if (credentials?.type === 'sorobanCredentialsAddressV2') {
    return credentials.addressV2.signature.type;
  }
  return undefined;
}

/** Not signed, but with an expiration: it counts for impersonated addresses too, and simulation leaves it at 0. */
function expiring(
  entry: xdr.SorobanAuthorizationEntry,
  signatureExpirationLedger: number,
): xdr.SorobanAuthorizationEntry {
  const { credentials, rootInvocation } = entry;
  const until = <T extends object>(of: T) => ({ ...of, signatureExpirationLedger });
  if (credentials.type === 'sorobanCredentialsAddress') {
    const address = new xdr.SorobanAddressCredentials(until(credentials.address));
    const given = xdr.SorobanCredentials.sorobanCredentialsAddress(address);
    return new xdr.SorobanAuthorizationEntry({ credentials: given, rootInvocation });
  }
  assert.equal(credentials.type, 'sorobanCredentialsAddressV2');
  const address = new xdr.SorobanAddressCredentials(until(credentials.addressV2));
  const given = xdr.SorobanCredentials.sorobanCredentialsAddressV2(address);
  return new xdr.SorobanAuthorizationEntry({ credentials: given, rootInvocation });
}

async function send(
  scene: Scene,
  transaction: Transaction,
  by: Keypair,
): Promise<rpc.Api.GetTransactionResponse> {
  transaction.sign(by);
  const { hash, status } = await scene.server.sendTransaction(transaction);
  assert.equal(status, 'PENDING');
  return scene.server.pollTransaction(hash, { attempts: 40, sleepStrategy: () => 20 });
}

for (const protocol of [27, 28] as const) {
  describe(`authorization entries of an impersonated address, protocol ${protocol}`, () => {
    it('of an account pass without a signature, while it is impersonated', async () => {
      await using scene = await startScene({ protocol });
      const { server, ledger, usdc } = scene;
      const [alice, bob] = [await scene.account(), await scene.account()];
      await scene.buyUsdc(alice, '5');
      await scene.buyUsdc(bob, '1');
      const by = async () => unsigned(scene, alice.publicKey(), bob.publicKey(), bob);
      const before = await by();
      assert.equal(signatureOf(before.entries[0]), 'scvVoid');
      assert.equal((await send(scene, before.prepared, bob)).status, 'FAILED');

      const account = alice.publicKey();
      await ledger.control('svc_impersonate', { account, on: true });
      const { prepared } = await by();
      const simulated = await server.simulateTransaction(prepared);
      assert.ok(!('error' in simulated), 'a simulation that enforces passes too');
      const result = await send(scene, prepared, bob);
      assert.equal(result.status, 'SUCCESS');
      const held = await server.getAssetBalance(bob.publicKey(), usdc);
      assert.equal(held.balanceEntry?.amount, '20000000');
      const trace = await ledger.control('svc_traceTransaction', { hash: result.txHash });
      assert.match(trace.text, /signature not checked: the address is impersonated/);

      const again = await send(
        scene,
        withSameEntries(scene, await nextOf(scene, bob), prepared),
        bob,
      );
      assert.equal(again.status, 'FAILED', 'its nonce counts');

      await ledger.control('svc_impersonate', { account, on: false });
      assert.equal((await send(scene, (await by()).prepared, bob)).status, 'FAILED');
    });

    it('of an address that is not impersonated fail', async () => {
      await using scene = await startScene({ protocol });
      const { ledger } = scene;
      const [alice, bob, eve] = [
        await scene.account(),
        await scene.account(),
        await scene.account(),
      ];
      await scene.buyUsdc(alice, '5');
      await scene.buyUsdc(bob, '1');
      for (const account of [bob.publicKey(), eve.publicKey(), ledger.accounts.usdcContract]) {
        await ledger.control('svc_impersonate', { account, on: true });
      }
      const { prepared } = await unsigned(scene, alice.publicKey(), bob.publicKey(), bob);
      const simulated = await scene.server.simulateTransaction(prepared);
      assert.ok('error' in simulated);
      assert.equal((await send(scene, prepared, bob)).status, 'FAILED');
      await ledger.control('svc_autoImpersonate', { on: true });
      const everybody = await unsigned(scene, alice.publicKey(), bob.publicKey(), bob);
      assert.equal((await send(scene, everybody.prepared, bob)).status, 'SUCCESS');
      await ledger.control('svc_autoImpersonate', { on: false });
      const nobody = await unsigned(scene, alice.publicKey(), bob.publicKey(), bob);
      assert.equal((await send(scene, nobody.prepared, bob)).status, 'FAILED');
    });

    it('of a contract pass without its consent, deployed or not', async () => {
      await using scene = await startScene({ protocol });
      const { ledger } = scene;
      const bob = await scene.account();
      await scene.buyUsdc(bob, '1');
      const nowhere = StrKey.encodeContract(Keypair.random().rawPublicKey());
      const { upto } = ledger.contracts;
      for (const contract of [upto ?? '', nowhere]) {
        const asset = `USDC:${ledger.accounts.usdcIssuer}`;
        await ledger.control('svc_setBalance', { account: contract, asset, amount: '3' });
        const call = () => unsigned(scene, contract, bob.publicKey(), bob);
        assert.equal((await send(scene, (await call()).prepared, bob)).status, 'FAILED');
        const { accounts } = await ledger.control('svc_impersonate', {
          account: contract,
          on: true,
        });
        assert.ok(accounts.includes(contract));
        // As for every account that is a contract, the second simulation knows what `__check_auth` consumes.
        const enforced = await scene.server.prepareTransaction((await call()).prepared);
        assert.equal((await send(scene, enforced, bob)).status, 'SUCCESS');
        await ledger.control('svc_impersonate', { account: contract, on: false });
        assert.equal((await send(scene, (await call()).prepared, bob)).status, 'FAILED');
      }
    });

    it('of a real smart account pass without its signer’s key', async () => {
      await using scene = await startScene({ protocol });
      const { ledger, server, usdc } = scene;
      const bob = await scene.account();
      await scene.buyUsdc(bob, '1');
      const unlimited = xdr.ScVal.scvVec([xdr.ScVal.scvVoid()]);
      const signer = xdr.ScVal.scvVec([
        xdr.ScVal.scvSymbol('Ed25519'),
        xdr.ScVal.scvBytes(Keypair.random().rawPublicKey()),
        ...[unlimited, unlimited],
        xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Persistent')]),
      ]);
      const account = (await deploy(scene, bob, SMART_ACCOUNT, [signer])).contractId();
      const asset = `USDC:${ledger.accounts.usdcIssuer}`;
      await ledger.control('svc_setBalance', { account, asset, amount: '3' });
      const call = () => unsigned(scene, account, bob.publicKey(), bob);
      assert.equal((await send(scene, (await call()).prepared, bob)).status, 'FAILED');
      await ledger.control('svc_impersonate', { account, on: true });
      const enforced = await server.prepareTransaction((await call()).prepared);
      const result = await send(scene, enforced, bob);
      assert.equal(result.status, 'SUCCESS');
      const held = await server.getAssetBalance(account, usdc, ledger.passphrase);
      assert.equal(held.balanceEntry?.amount, '20000000');
      const trace = await ledger.control('svc_traceTransaction', { hash: result.txHash });
      assert.match(trace.text, /signature not checked: the address is impersonated/);
    });

    it('pass for a call that another contract makes, and for no other call of it', async () => {
      await using scene = await startScene({ protocol });
      const { ledger, server, usdc } = scene;
      const [alice, bob] = [await scene.account(), await scene.account()];
      await scene.buyUsdc(alice, '5');
      await scene.buyUsdc(bob, '1');
      const forwarder = await deploy(scene, bob, failingContract(protocol).wasm);
      const forwarded = (amount: bigint) =>
        forwarder.call(
          'forward',
          nativeToScVal(ledger.accounts.usdcContract, { type: 'address' }),
          xdr.ScVal.scvSymbol('transfer'),
          xdr.ScVal.scvVec([
            nativeToScVal(alice.publicKey(), { type: 'address' }),
            nativeToScVal(bob.publicKey(), { type: 'address' }),
            nativeToScVal(amount, { type: 'i128' }),
          ]),
        );
      await ledger.control('svc_impersonate', { account: alice.publicKey(), on: true });
      const recorded = await nested(scene, bob, forwarded(10_000_000n));
      const result = await send(scene, recorded, bob);
      assert.equal(result.status, 'SUCCESS');
      const held = await server.getAssetBalance(alice.publicKey(), usdc);
      assert.equal(held.balanceEntry?.amount, '40000000');

      // The entry covers the call with its arguments: of another amount it says nothing.
      const other = await nested(scene, bob, forwarded(20_000_000n));
      const mixed = rebuilt(
        scene,
        other,
        other,
        entriesOf(await nested(scene, bob, forwarded(1n))),
      );
      assert.equal((await send(scene, mixed, bob)).status, 'FAILED');
      assert.equal(
        (await server.getAssetBalance(alice.publicKey(), usdc)).balanceEntry?.amount,
        '40000000',
      );
    });

    it('cost and change the same as a signed entry', async () => {
      await using scene = await startScene({ protocol });
      const { ledger } = scene;
      const [alice, bob] = [await scene.account(), await scene.account()];
      await scene.buyUsdc(alice, '5');
      await scene.buyUsdc(bob, '1');
      // The first one pays for what both find afterwards.
      for (let round = 0; round < 2; round += 1) {
        const call = await unsigned(scene, alice.publicKey(), bob.publicKey(), bob);
        const signed = await withSignatures(scene, call.prepared, alice);
        assert.equal((await send(scene, signed, bob)).status, 'SUCCESS');
      }
      const signedCall = await unsigned(scene, alice.publicKey(), bob.publicKey(), bob);
      const one = await send(scene, await withSignatures(scene, signedCall.prepared, alice), bob);
      await ledger.control('svc_impersonate', { account: alice.publicKey(), on: true });
      const other = await send(
        scene,
        (await unsigned(scene, alice.publicKey(), bob.publicKey(), bob)).prepared,
        bob,
      );
      assert.deepEqual([one.status, other.status], ['SUCCESS', 'SUCCESS']);
      const traces = await Promise.all(
        [one, other].map(({ txHash }) => ledger.control('svc_traceTransaction', { hash: txHash })),
      );
      const [signed, impersonated] = traces;
      assert.ok(signed?.cpuInstructions && impersonated?.cpuInstructions);
      const ratio = impersonated.cpuInstructions / signed.cpuInstructions;
      assert.ok(ratio > 0.97 && ratio < 1.03, `${ratio}`);
      const entries = (of: typeof signed) =>
        of.storage.map(({ access, kind, changed }) => `${access} ${kind} ${changed}`).sort();
      assert.deepEqual(entries(impersonated), entries(signed));
    });
  });
}

/** The same call with the entries of an earlier transaction. */
function withSameEntries(scene: Scene, source: Transaction, earlier: Transaction): Transaction {
  return rebuilt(scene, source, earlier, entriesOf(earlier));
}

async function nextOf(scene: Scene, owner: Keypair): Promise<Transaction> {
  const account = await scene.server.getAccount(owner.publicKey());
  return new TransactionBuilder(account, {
    fee: '100',
    networkPassphrase: scene.ledger.passphrase,
  })
    .addOperation(Operation.bumpSequence({ bumpTo: '0' }))
    .setTimeout(60)
    .build();
}

async function withSignatures(
  scene: Scene,
  prepared: Transaction,
  by: Keypair,
): Promise<Transaction> {
  const { sequence } = await scene.server.getLatestLedger();
  const entries = await Promise.all(
    entriesOf(prepared).map((entry) =>
      authorizeEntry(entry, by, sequence + 60, scene.ledger.passphrase),
    ),
  );
  return rebuilt(scene, prepared, prepared, entries);
}

function rebuilt(
  scene: Scene,
  { source, sequence }: Transaction,
  like: Transaction,
  auth: xdr.SorobanAuthorizationEntry[],
): Transaction {
  const [operation] = like.operations;
  assert.equal(operation?.type, 'invokeHostFunction');
  const envelope = like.toEnvelope();
  assert.equal(envelope.type, 'envelopeTypeTx');
  const { ext } = envelope.v1.tx;
  assert.equal(ext.type, 'sorobanData');
  const account = new Account(source, String(BigInt(sequence) - 1n));
  return new TransactionBuilder(account, {
    fee: like.fee,
    networkPassphrase: scene.ledger.passphrase,
  })
    .addOperation(Operation.invokeHostFunction({ func: operation.func, auth }))
    .setSorobanData(ext.sorobanData)
    .setTimeout(60)
    .build();
}
