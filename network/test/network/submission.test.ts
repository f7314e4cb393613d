import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { systemLedgerClock } from '../../src/close/index.ts';
import { callRpc, hashOf, type Scene, startScene } from './scene.ts';

describe('sending a transaction', () => {
  let scene: Scene;
  let alice: Keypair;
  let bob: Keypair;

  before(async () => {
    scene = await startScene({ close: { kind: 'manual' } });
    alice = await scene.account();
    bob = await scene.account();
  });
  after(() => scene[Symbol.asyncDispose]());

  const payment = (amount = '1') =>
    Operation.payment({ destination: bob.publicKey(), asset: Asset.native(), amount });
  const bumped = (
    fee: string,
    inner: Parameters<typeof TransactionBuilder.buildFeeBumpTransaction>[2],
  ) => {
    const bump = TransactionBuilder.buildFeeBumpTransaction(
      bob,
      fee,
      inner,
      scene.ledger.passphrase,
    );
    bump.sign(bob);
    return bump;
  };

  it('answers PENDING before the ledger closes, and getTransaction NOT_FOUND until it has', async () => {
    const { server, ledger } = scene;
    const transaction = await scene.signed(alice, payment());
    const latest = await server.getLatestLedger();
    const sent = await server.sendTransaction(transaction);
    assert.equal(sent.status, 'PENDING');
    assert.equal(sent.latestLedger, latest.sequence);
    assert.equal(sent.hash, hashOf(transaction));
    assert.equal((await server.getTransaction(sent.hash)).status, 'NOT_FOUND');
    const closed = ledger.closeLedger();
    const found = await server.getTransaction(sent.hash);
    assert.equal(found.status, 'SUCCESS');
    assert.deepEqual(
      { ledger: found.ledger, order: found.applicationOrder, bump: found.feeBump },
      { ledger: closed, order: 1, bump: false },
    );
  });

  it('answers DUPLICATE to one that already waits', async () => {
    const transaction = await scene.signed(alice, payment());
    assert.equal((await scene.server.sendTransaction(transaction)).status, 'PENDING');
    assert.equal((await scene.server.sendTransaction(transaction)).status, 'DUPLICATE');
    scene.ledger.closeLedger();
  });

  it('answers TRY_AGAIN_LATER to a second one of the same source, until a ledger includes the first', async () => {
    const first = await scene.signed(alice, payment('1'));
    const second = await scene.signed(alice, payment('2'));
    assert.equal((await scene.server.sendTransaction(first)).status, 'PENDING');
    assert.equal((await scene.server.sendTransaction(second)).status, 'TRY_AGAIN_LATER');
    scene.ledger.closeLedger();
    const after = await scene.server.sendTransaction(second);
    assert.equal(after.status, 'ERROR');
    assert.equal(after.errorResult?.result.type, 'txBadSeq');
  });

  it('lets a fee bump replace a waiting transaction, for ten times its bid', async () => {
    const inner = await scene.signed(alice, payment());
    assert.equal((await scene.server.sendTransaction(inner)).status, 'PENDING');
    const meagre = await scene.server.sendTransaction(bumped('900', inner));
    assert.equal(meagre.status, 'ERROR');
    assert.equal(meagre.errorResult?.result.type, 'txInsufficientFee');
    assert.equal(meagre.errorResult?.feeCharged, 2_000n);
    const rich = bumped('1000', inner);
    assert.equal((await scene.server.sendTransaction(rich)).status, 'PENDING');
    assert.equal((await scene.server.sendTransaction(inner)).status, 'DUPLICATE');
    scene.ledger.closeLedger();
    const hash = hashOf(rich);
    const found = await scene.server.getTransaction(hash);
    assert.equal(found.status === 'SUCCESS' && found.feeBump, true);
    const byInner = await scene.server.getTransaction(hashOf(inner));
    assert.equal(byInner.status, 'SUCCESS');
  });

  it('answers ERROR with the result of the check to one that can never be applied', async () => {
    const { server } = scene;
    const unsigned = await scene.signed(alice, payment());
    unsigned.signatures.length = 0;
    const refused = await server.sendTransaction(unsigned);
    assert.equal(refused.status, 'ERROR');
    assert.equal(refused.errorResult?.result.type, 'txBadAuth');
    assert.equal((await server.getTransaction(refused.hash)).status, 'NOT_FOUND');
  });

  it('includes a transaction that fails when applied, and answers FAILED', async () => {
    const { server, ledger } = scene;
    const transaction = await scene.signed(alice, payment('999999999'));
    const { hash } = await server.sendTransaction(transaction);
    ledger.closeLedger();
    const found = await server.getTransaction(hash);
    assert.equal(found.status, 'FAILED');
    assert.equal(found.status === 'FAILED' && found.resultXdr.result.type, 'txFailed');
  });

  it('refuses text that is not an envelope', async () => {
    for (const transaction of ['', 'AAAA', 'not base64 at all', undefined]) {
      const body = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: { transaction } };
      assert.deepEqual(await callRpc(scene.url, body), {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32602, message: 'invalid_xdr' },
      });
    }
  });

  it('writes a refusal as JSON on request', async () => {
    const transaction = await scene.signed(alice, payment());
    transaction.signatures.length = 0;
    const params = { transaction: transaction.toXdr(), xdrFormat: 'json' };
    const answer = await callRpc(scene.url, {
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params,
    });
    const { result } = answer as { result: Record<string, unknown> };
    assert.deepEqual(result['errorResultJson'], {
      fee_charged: '100',
      result: 'tx_bad_auth',
      ext: 'v0',
    });
    assert.equal(result['errorResultXdr'], undefined);
  });
});

describe('closing ledgers on demand', () => {
  it('puts transactions that arrive together into one ledger, one of each source', async () => {
    // Time stands still: on a busy machine the longest wait for company would end within the batch.
    const now = Date.now();
    await using scene = await startScene({ clock: { ...systemLedgerClock, now: () => now } });
    const { channels } = scene.ledger.accounts;
    const transactions = await Promise.all(
      channels
        .slice(0, 10)
        .map(({ secret, address }) =>
          scene.signed(
            Keypair.fromSecret(secret),
            Operation.payment({ destination: address, asset: Asset.native(), amount: '1' }),
          ),
        ),
    );
    const calls = transactions.map((transaction, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'sendTransaction',
      params: { transaction: transaction.toXdr() },
    }));
    await callRpc(scene.url, calls);
    const ledgers = new Set<number>();
    for (const transaction of transactions) {
      const found = await scene.server.pollTransaction(hashOf(transaction), {
        sleepStrategy: () => 5,
      });
      assert.equal(found.status, 'SUCCESS');
      if (found.status === 'SUCCESS') ledgers.add(found.ledger);
    }
    assert.equal(ledgers.size, 1);
  });

  it('continues by itself, five seconds after the last ledger', async () => {
    let now = 1_800_000_000_000;
    const timers: { at: number; run: () => void }[] = [];
    const clock = {
      now: () => now,
      after(milliseconds: number, run: () => void) {
        const timer = { at: now + milliseconds, run };
        timers.push(timer);
        return () => {
          timer.run = () => {};
        };
      },
      soon: (run: () => void) => {
        const immediate = setImmediate(run);
        return () => clearImmediate(immediate);
      },
    };
    await using scene = await startScene({ clock });
    const before = await scene.server.getLatestLedger();
    now += 5_000;
    for (const timer of [...timers]) if (timer.at <= now) timer.run();
    const after = await scene.server.getLatestLedger();
    assert.equal(after.sequence, before.sequence + 1);
    assert.equal(Number(after.closeTime), Number(before.closeTime) + 5);
  });
});

describe('the ledger a transaction is checked against', () => {
  it('is the next one: a transaction that is valid only from then on is accepted', async () => {
    await using scene = await startScene({ close: { kind: 'manual' } });
    const alice = await scene.account();
    const { sequence } = await scene.server.getLatestLedger();
    const account = await scene.server.getAccount(alice.publicKey());
    const transaction = new TransactionBuilder(account, {
      fee: '100',
      networkPassphrase: scene.ledger.passphrase,
      ledgerbounds: { minLedger: sequence + 1, maxLedger: sequence + 2 },
    })
      .addOperation(Operation.bumpSequence({ bumpTo: '0' }))
      .setTimeout(0)
      .build();
    transaction.sign(alice);
    assert.equal((await scene.server.sendTransaction(transaction)).status, 'PENDING');
    scene.ledger.closeLedger();
    const found = await scene.server.getTransaction(hashOf(transaction));
    assert.equal(found.status, 'SUCCESS');
  });
});

describe('a client that requests its transaction at once', () => {
  it('is answered when the next ledger on demand has closed', async () => {
    await using scene = await startScene();
    const alice = await scene.account();
    for (let turn = 0; turn < 20; turn++) {
      const transaction = await scene.signed(alice, Operation.bumpSequence({ bumpTo: '0' }));
      assert.equal((await scene.server.sendTransaction(transaction)).status, 'PENDING');
      const found = await scene.server.getTransaction(hashOf(transaction));
      assert.equal(found.status, 'SUCCESS', `turn ${turn}`);
    }
  });

  it('is answered at once about a transaction that does not wait', async () => {
    await using scene = await startScene();
    const alice = await scene.account();
    const transaction = await scene.signed(alice, Operation.bumpSequence({ bumpTo: '0' }));
    const sending = scene.server.sendTransaction(transaction);
    const { status } = await scene.server.getTransaction('ab'.repeat(32));
    assert.equal(status, 'NOT_FOUND');
    await sending;
  });

  it('is answered NOT_FOUND when the network closes or the transaction is dropped meanwhile', async () => {
    await using scene = await startScene();
    const alice = await scene.account();
    const transaction = await scene.signed(alice, Operation.bumpSequence({ bumpTo: '0' }));
    await Promise.all([
      scene.server.sendTransaction(transaction),
      scene.ledger.control('svc_dropTransaction', { hash: hashOf(transaction) }).catch(() => {}),
      scene.server.getTransaction(hashOf(transaction)),
    ]);
    const { status } = await scene.server.getTransaction(hashOf(transaction));
    assert.match(status, /^(NOT_FOUND|SUCCESS)$/);
  });
});
