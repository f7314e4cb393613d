import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk';
import { startScene } from './scene.ts';
import { shownPage } from './shownPage.ts';

const short = (id: string): string => `${id.slice(0, 8)}…${id.slice(-8)}`;

describe('the page of the network', () => {
  it('shows a merged account as closed, with its history', async () => {
    await using scene = await startScene({ close: { kind: 'manual' } });
    const [closed, heir] = [await scene.account(), await scene.account()];
    const address = closed.publicKey();
    const merge = Operation.accountMerge({ destination: heir.publicKey() });
    const { txHash } = await scene.submit(await scene.signed(closed, merge));
    const closes = `closes ${short(address)} into ${short(heir.publicKey())}`;

    const account = await shownPage(scene.url, `/account/${address}`);
    assert.ok(account.includes('This account is closed'), account);
    assert.ok(account.includes(closes), account);
    const transaction = await shownPage(scene.url, `/tx/${txHash}`);
    assert.ok(transaction.includes(closes), transaction);
    const never = await shownPage(scene.url, `/account/${Keypair.random().publicKey()}`);
    assert.match(never, /does not have this/);
  });

  it('shows the newest contract events after many ledgers, and no deleted ones', async () => {
    await using scene = await startScene({ close: { kind: 'manual' } });
    const alice = await scene.account();
    await scene.buyUsdc(alice, '3');
    const { latestLedger } = await scene.server.getHealth();
    await scene.ledger.control('svc_advanceLedgers', { count: 10_500 });
    const contract = `/contract/${scene.ledger.accounts.usdcContract}`;
    for (const path of ['/', contract]) {
      const text = await shownPage(scene.url, path);
      assert.ok(text.includes(`30000000 ${latestLedger}`), text);
    }
    await scene.ledger.control('svc_advanceLedgers', { count: 500_000 });
    assert.match(await shownPage(scene.url, contract), /None recently/);
    await scene.buyUsdc(await scene.account(), '4');
    assert.ok((await shownPage(scene.url, contract)).includes(' 40000000 '));
  });
});
