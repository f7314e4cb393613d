import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { encodeHeaderMessage, USDC_CONTRACT } from '../../protocol/index.ts';
import { keepSigned, listSigned, readSigned, signedFolder } from './signedReceipts.ts';

const REQUEST = {
  ...{ method: 'GET', url: 'https://api.example.com/a', paidAt: 1_790_000_000 },
  paid: {
    ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC_CONTRACT, amount: '100000' },
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  },
  payer: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  transaction: '',
};

function responses(offers: unknown, receipt: unknown) {
  const message = (info: object) =>
    encodeHeaderMessage({ extensions: { 'offer-receipt': { info } } });
  return {
    asked: new Response(null, { headers: { 'PAYMENT-REQUIRED': message({ offers }) } }),
    paid: new Response(null, { headers: { 'PAYMENT-RESPONSE': message({ receipt }) } }),
  };
}

describe('What a seller signed, in the data folder', () => {
  const data = mkdtempSync(join(tmpdir(), 'svc-x402-signed-'));
  const folder = signedFolder(data);
  after(() => rmSync(data, { recursive: true }));

  it('is not there without signed words', async () => {
    const { asked, paid } = responses(undefined, undefined);
    assert.equal(await keepSigned(folder, REQUEST, { asked, paid }), undefined);
    assert.equal(await keepSigned(folder, REQUEST, { asked: undefined, paid }), undefined);
    assert.deepEqual(await listSigned(folder), []);
  });

  it('is reported and kept if it is wrong', async () => {
    for (const [offers, receipt] of [
      [[{ format: 'jws', signature: 'a.b.c' }], { format: 'jws', signature: 'a.b.c' }],
      ['text', 7],
      [{}, []],
    ] as const) {
      const kept = await keepSigned(folder, REQUEST, responses(offers, receipt));
      assert.match(
        String(kept?.words),
        /^Signed by the seller, and wrong: .* receipt show [0-9a-f]{12}\.$/,
      );
      const read = await readSigned(folder, String(kept?.id));
      assert.ok(read.ok);
      assert.deepEqual(read.file.receipt, receipt);
    }
    assert.equal((await listSigned(folder)).length, 3);
  });

  it('is judged even if it cannot be stored', async () => {
    const file = join(data, 'file');
    writeFileSync(file, '');
    const kept = await keepSigned(join(file, 'signed'), REQUEST, responses([], {}));
    assert.equal(kept?.id, null);
    assert.match(kept.words, /could not be stored/);
  });

  it('is at most 1,000 files, without the oldest', async () => {
    const full = join(data, 'full', 'signed');
    mkdirSync(full, { recursive: true });
    for (let at = 0; at < 1_000; at += 1) {
      const path = join(full, `${at.toString(16).padStart(12, '0')}.json`);
      writeFileSync(path, '{}');
      utimesSync(path, 1_000 + at, 1_000 + at);
    }
    const kept = await keepSigned(full, REQUEST, responses([], {}));
    const names = readdirSync(full);
    assert.equal(names.length, 1_000);
    assert.ok(names.includes(`${kept?.id}.json`));
    assert.ok(!names.includes(`${'0'.repeat(12)}.json`));
    // Files of others are not listed.
    assert.equal((await listSigned(full)).length, 1);
  });
});
