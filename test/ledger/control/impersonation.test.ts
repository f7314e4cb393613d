import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Contract, Keypair, nativeToScVal, TransactionBuilder } from '@stellar/stellar-sdk';
import { startScene } from '../network/scene.ts';

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
