import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Keypair, Operation, StrKey } from '@stellar/stellar-sdk';
import { type Scene, startScene } from './scene.ts';

describe('friendbot gives USDC on request', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene[Symbol.asyncDispose]());

  const ask = (address: string, usdc: string): Promise<Response> =>
    fetch(`${scene.url}/friendbot?addr=${address}&usdc=${encodeURIComponent(usdc)}`);
  const holds = async (address: string): Promise<string | undefined> => {
    const { balanceEntry } = await scene.server.getAssetBalance(
      address,
      scene.usdc,
      scene.ledger.passphrase,
    );
    return balanceEntry?.amount;
  };
  const trusting = async (): Promise<Keypair> => {
    const owner = await scene.account();
    await scene.submit(await scene.signed(owner, Operation.changeTrust({ asset: scene.usdc })));
    return owner;
  };

  it('to an account with a trustline, until it has as much', async () => {
    const owner = await trusting();
    const answer = await ask(owner.publicKey(), '25.5');
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(((await answer.json()) as { hash: string }).hash, /^[0-9a-f]{64}$/);
    assert.equal(await holds(owner.publicKey()), '255000000');
    const again = await ask(owner.publicKey(), '25');
    assert.equal(again.status, 400);
    assert.match(await again.text(), /already holds this much USDC/);
    const posted = await fetch(`${scene.url}/friendbot`, {
      method: 'POST',
      body: new URLSearchParams({ addr: owner.publicKey(), usdc: '100' }),
    });
    assert.equal(posted.status, 200);
    assert.equal(await holds(owner.publicKey()), '1255000000');
  });

  it('to contracts', async () => {
    for (const amount of ['1', '2']) {
      const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
      const answer = await ask(contract, amount);
      assert.equal(answer.status, 200, await answer.clone().text());
      assert.equal(await holds(contract), `${amount}0000000`);
    }
  });

  it('at the same time as requests for XLM', async () => {
    const owner = await trusting();
    const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
    const plain = (): Promise<Response> =>
      fetch(`${scene.url}/friendbot?addr=${Keypair.random().publicKey()}`);
    const answers = await Promise.all([
      ...[plain(), ask(owner.publicKey(), '3'), plain(), ask(contract, '4'), plain()],
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
  });

  it('to nobody without a trustline, and no invalid amount', async () => {
    for (const address of [Keypair.random().publicKey(), (await scene.account()).publicKey()]) {
      const answer = await ask(address, '5');
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /open a trustline to USDC of GBBD47IF/);
    }
    const owner = (await trusting()).publicKey();
    for (const amount of ['', '0', '-1', '1000.1', '1e3', 'all', '0.00000001', '9'.repeat(400)]) {
      const answer = await ask(owner, amount);
      assert.equal(answer.status, 400, amount);
      assert.match(await answer.text(), /usdc: invalid amount/);
    }
    assert.equal(await holds(owner), '0');
  });

  it('even if ledgers close manually', async () => {
    await using manual = await startScene({ close: { kind: 'manual' } });
    const contract = StrKey.encodeContract(Keypair.random().rawPublicKey());
    const answer = await fetch(`${manual.url}/friendbot?addr=${contract}&usdc=7`);
    assert.equal(answer.status, 200, await answer.clone().text());
  });
});
