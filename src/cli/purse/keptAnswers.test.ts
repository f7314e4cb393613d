import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Answer, KeptAnswers } from './keptAnswers.ts';
import type { Entry } from './receiptBook.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-x402-answers-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const paid = (nonce: bigint) => ({ sent: { payer: 'CW', nonce } }) as unknown as Entry;
const answer: Answer = {
  ...{ code: null, message: 'Paid.', status: 200, redirect: null },
  body: {
    ...{ type: 'text/plain', bytes: 2, text: 'ok', file: null, cut: 'no' },
    media: [{ kind: 'image', mimeType: 'image/png', data: 'AAAA' }],
  },
};

describe('Answers that no client took', () => {
  it('are found by their payment until they are removed, and readable only by the owner', async () => {
    const path = join(folder, 'a');
    const kept = new KeptAnswers(path);
    await kept.keep(paid(-5n), answer);
    const found = await new KeptAnswers(path).find([paid(1n), paid(-5n)]);
    assert.deepEqual([...found], [[-5n, answer]]);
    for (const name of readdirSync(path)) assert.equal(statSync(join(path, name)).mode & 0o077, 0);
    await kept.remove(paid(-5n));
    assert.equal((await kept.find([paid(-5n)])).size, 0);
  });

  it('expire, and a damaged file is not one', async () => {
    const path = join(folder, 'b');
    const kept = new KeptAnswers(path);
    await kept.keep(paid(1n), answer, -1);
    await kept.keep(paid(2n), answer);
    writeFileSync(join(path, 'CW.3.json'), '{"version":1,');
    assert.deepEqual([...(await kept.find([paid(1n), paid(2n), paid(3n)])).keys()], [2n]);
  });

  it('are bounded in number', async () => {
    const path = join(folder, 'c');
    const kept = new KeptAnswers(path);
    for (let nonce = 1n; nonce <= 60n; nonce++) await kept.keep(paid(nonce), answer);
    assert.equal(readdirSync(path).length, 50);
    assert.equal((await kept.find([paid(60n)])).size, 1);
  });
});
