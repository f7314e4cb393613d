import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Keypair, Operation, type Transaction, xdr } from '@stellar/stellar-sdk';
import { type Scene, startScene } from './scene.ts';

describe('The paths of the port', () => {
  let scene: Scene;
  let account: Keypair;
  before(async () => {
    scene = await startScene();
    account = await scene.account();
  });
  after(() => scene[Symbol.asyncDispose]());

  it('have an optional slash at the end, on Horizon, friendbot, RPC and control', async () => {
    const paths = [
      `/accounts/${account.publicKey()}`,
      '/ledgers',
      '/fee_stats',
      `/accounts/${account.publicKey()}/transactions`,
      '/health',
      '/archive/.well-known/stellar-history.json',
      '/explorer/words',
    ];
    for (const path of paths) {
      const plain = await fetch(scene.url + path);
      const slashed = await fetch(`${scene.url}${path}/`);
      assert.equal(plain.status, 200, path);
      assert.equal(slashed.status, 200, `${path}/`);
      assert.equal((await slashed.text()).length > 0, true);
    }
    const address = Keypair.random().publicKey();
    assert.equal((await fetch(`${scene.url}/friendbot/?addr=${address}`)).status, 200);
    assert.equal((await fetch(`${scene.url}/accounts/${address}/?x=1`)).status, 200);
    const call = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
    for (const path of ['/rpc/', '/soroban/rpc/', '/control/']) {
      const response = await fetch(scene.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(call),
      });
      assert.equal(response.status, 200, path);
      assert.equal(((await response.json()) as { jsonrpc: string }).jsonrpc, '2.0');
    }
  });

  it('of Stellar RPC answer 405 to other methods than POST, as a JSON-RPC bridge does', async () => {
    for (const path of ['/rpc', '/rpc/', '/rpc?x=1', '/soroban/rpc']) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        const response = await fetch(scene.url + path, { method });
        assert.equal(response.status, 405, `${method} ${path}`);
        assert.equal(response.headers.get('allow'), 'POST');
        assert.equal(response.headers.get('access-control-allow-origin'), '*');
      }
      assert.equal((await fetch(scene.url + path, { method: 'OPTIONS' })).status, 204);
    }
    assert.equal((await fetch(`${scene.url}/`)).status, 200);
  });

  describe('take an envelope of version 0, which becomes one of version 1', () => {
    /** The envelope in its older form, with the same hash and signatures. */
    function older(transaction: Transaction): string {
      const { type, value } = transaction.toEnvelope();
      assert.equal(type, 'envelopeTypeTx');
      assert.ok(value instanceof xdr.TransactionV1Envelope);
      const { tx, signatures } = value;
      assert.equal(tx.cond.type, 'precondTime');
      return xdr.TransactionEnvelope.envelopeTypeTxV0(
        new xdr.TransactionV0Envelope({
          tx: new xdr.TransactionV0({
            sourceAccountEd25519: account.rawPublicKey(),
            fee: tx.fee,
            seqNum: tx.seqNum,
            timeBounds: tx.cond.type === 'precondTime' ? tx.cond.timeBounds : null,
            memo: tx.memo,
            operations: tx.operations,
            ext: xdr.TransactionV0Ext.v0(),
          }),
          signatures,
        }),
      ).toXdr('base64');
    }
    const bump = () => scene.signed(account, Operation.bumpSequence({ bumpTo: '0' }));

    it('at sendTransaction', async () => {
      const transaction = await bump();
      const sent = (await scene.ledger.call('sendTransaction', {
        transaction: older(transaction),
      })) as { status: string; hash: string };
      assert.deepEqual(
        [sent.status, sent.hash],
        ['PENDING', Buffer.from(transaction.hash()).toString('hex')],
      );
      const found = await scene.server.pollTransaction(sent.hash, { sleepStrategy: () => 20 });
      assert.equal(found.status, 'SUCCESS');
      const { envelopeXdr } = found as unknown as { envelopeXdr: xdr.TransactionEnvelope };
      assert.equal(envelopeXdr.toXdr('base64'), transaction.toXdr());
    });

    it('at Horizon', async () => {
      const transaction = await bump();
      const response = await fetch(`${scene.url}/transactions`, {
        method: 'POST',
        body: new URLSearchParams({ tx: older(transaction) }),
      });
      const body = (await response.json()) as { envelope_xdr: string };
      assert.equal(response.status, 200, JSON.stringify(body));
      assert.equal(body.envelope_xdr, transaction.toXdr());
    });

    it('and a wrong signature stays wrong', async () => {
      const transaction = await bump();
      transaction.signatures.length = 0;
      transaction.sign(Keypair.random());
      const sent = (await scene.ledger.call('sendTransaction', {
        transaction: older(transaction),
      })) as { status: string; errorResultXdr: string };
      assert.equal(sent.status, 'ERROR');
      const result = xdr.TransactionResult.fromXdr(sent.errorResultXdr, 'base64');
      assert.equal(result.result.type, 'txBadAuth');
    });
  });
});
