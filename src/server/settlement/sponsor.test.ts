import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { testKey } from '../../../test/support/payer.ts';
import { startScriptedRpc } from '../../../test/support/scriptedRpc.ts';
import { testClock } from '../../../test/support/testClock.ts';
import { accountKey } from '../../protocol/stellar/index.ts';
import { connectNetwork } from '../network/index.ts';

import { openSigner } from './signer.ts';
import { createSponsor } from './sponsor.ts';

const signer = openSigner(testKey('sponsor').secret);
assert.ok(signer !== undefined);

function account(balance: bigint): string {
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId: xdr.PublicKey.publicKeyTypeEd25519(signer?.publicKey ?? ''),
      balance,
      seqNum: 1n,
      numSubEntries: 0,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: Uint8Array.from([1, 0, 0, 0]),
      signers: [],
      ext: xdr.AccountEntryExt.v0(),
    }),
  ).toXdr('base64');
}

const open: { close(): unknown }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

/** A sponsor with a floor of 1,000 stroops whose balance a server returns. */
async function sponsorWith(start: bigint) {
  const ledger = { balance: start };
  const key = accountKey(signer ?? { publicKey: new Uint8Array(32) }).toXdr('base64');
  const rpc = await startScriptedRpc(() => ({
    result: { latestLedger: 1, entries: [{ key, xdr: account(ledger.balance) }] },
  }));
  const clock = testClock();
  const network = connectNetwork({ url: rpc.url, certificateAuthority: null }, clock);
  open.push(rpc, network);
  assert.ok(signer !== undefined);
  return { ledger, rpc, clock, sponsor: createSponsor({ signer, floor: 1_000n, network, clock }) };
}

describe('The sponsor has a hard balance floor', () => {
  it('[spec: Settlement path/1] refuses when the fee would take it below', async () => {
    const { sponsor } = await sponsorWith(1_500n);
    assert.equal(await sponsor.reserve(501n), undefined);
    assert.ok((await sponsor.reserve(500n)) !== undefined);
  });

  it('counts the worst fee of every settlement in flight', async () => {
    const { sponsor } = await sponsorWith(2_000n);
    const first = await sponsor.reserve(600n);
    assert.ok(first !== undefined);
    assert.equal(sponsor.reserved, 600n);
    assert.equal(await sponsor.reserve(600n), undefined);
    first.close(0n);
    assert.ok((await sponsor.reserve(600n)) !== undefined);
  });

  it('[spec: Settlement outcomes/Never submitted] releases the full reservation if nothing was spent', async () => {
    const { sponsor } = await sponsorWith(2_000n);
    const reservation = await sponsor.reserve(600n);
    reservation?.close(0n);
    reservation?.close(600n);
    assert.equal(sponsor.reserved, 0n);
    assert.equal(sponsor.balance, 2_000n);
  });

  it('subtracts the real charge from the balance it counts with', async () => {
    const { sponsor } = await sponsorWith(2_000n);
    (await sponsor.reserve(600n))?.close(250n);
    assert.equal(sponsor.balance, 1_750n);
    assert.equal(await sponsor.reserve(751n), undefined);
  });

  it('does not query the ledger for each settlement', async () => {
    const { sponsor, rpc } = await sponsorWith(1_000_000n);
    for (let i = 0; i < 20; i++) (await sponsor.reserve(100n))?.close(50n);
    assert.equal(rpc.calls.length, 1);
  });

  it('reads again before it refuses, so that funding it helps at once', async () => {
    const { sponsor, ledger, clock } = await sponsorWith(1_200n);
    assert.equal(await sponsor.reserve(500n), undefined);
    ledger.balance = 5_000n;
    clock.advance(1);
    assert.ok((await sponsor.reserve(500n)) !== undefined);
  });

  it('does not rely on an old balance', async () => {
    const { sponsor, ledger, clock } = await sponsorWith(5_000n);
    (await sponsor.reserve(500n))?.close(0n);
    ledger.balance = 1_100n;
    clock.advance(31_000);
    assert.equal(await sponsor.reserve(500n), undefined);
  });

  it('has nothing if it does not exist', async () => {
    const { sponsor } = await sponsorWith(0n);
    assert.equal(await sponsor.reserve(1n), undefined);
  });
});
