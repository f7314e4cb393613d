import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { xdr } from '@stellar/stellar-sdk';
import { type Scene, startScene } from './scene.ts';

interface History {
  version: number;
  currentLedger: number;
  networkPassphrase: string;
  currentBuckets: { curr: string; snap: string; next: { state: number } }[];
}

/** The records of a stream of XDR. */
function* records(stream: Buffer): Generator<Buffer> {
  for (let at = 0; at < stream.length; ) {
    const mark = stream.readUInt32BE(at);
    assert.ok(mark >= 0x80000000);
    const length = mark - 0x80000000;
    yield stream.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
}

describe('the history archive', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ close: { kind: 'manual' } });
  });
  after(() => scene[Symbol.asyncDispose]());

  const file = (path: string): Promise<Response> => fetch(`${scene.url}/archive/${path}`);
  const newest = async (): Promise<History> =>
    (await (await file('.well-known/stellar-history.json')).json()) as History;
  const bytesOf = async (path: string): Promise<Buffer> => {
    const answer = await file(path);
    assert.equal(answer.status, 200, path);
    return gunzipSync(Buffer.from(await answer.arrayBuffer()));
  };
  const folders = (hex: string): string =>
    `${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4, 6)}`;
  const hexOf = (ledger: number): string => ledger.toString(16).padStart(8, '0');

  it('has the newest ledger: its header, and its entries in a bucket whose name is its hash', async () => {
    const owner = await scene.account();
    const history = await newest();
    const { sequence } = await scene.server.getLatestLedger();
    assert.equal(history.currentLedger, sequence);
    assert.equal(history.networkPassphrase, scene.ledger.passphrase);
    assert.equal(history.currentBuckets.length, 11);
    const hashes = history.currentBuckets.flatMap(({ curr, snap }) => [curr, snap]);
    const [hash = ''] = hashes.filter((one) => !/^0+$/.test(one));
    const bucket = await bytesOf(`bucket/${folders(hash)}/bucket-${hash}.xdr.gz`);
    assert.equal(createHash('sha256').update(bucket).digest('hex'), hash);

    const entries = [...records(bucket)].map((one) => xdr.BucketEntry.fromXdr(one));
    const [meta, ...others] = entries;
    assert.ok(meta?.type === 'metaentry' && meta.metaEntry.ledgerVersion === 28);
    const account = others.flatMap((one) =>
      one.type === 'liveentry' && one.liveEntry.data.type === 'account'
        ? [one.liveEntry.data.account]
        : [],
    );
    const found = account.find(({ accountId }) =>
      Buffer.from(accountId.ed25519.value).equals(Buffer.from(owner.rawPublicKey())),
    );
    assert.equal(found?.balance, 100_000_000_000n);

    const hex = hexOf(sequence);
    const headers = [...records(await bytesOf(`ledger/${folders(hex)}/ledger-${hex}.xdr.gz`))].map(
      (one) => xdr.LedgerHeaderHistoryEntry.fromXdr(one),
    );
    assert.equal(headers.at(-1)?.header.ledgerSeq, sequence);
    assert.ok((headers.at(-1)?.header.baseReserve ?? 0) > 0);
    const at = await file(`history/${folders(hex)}/history-${hex}.json`);
    assert.deepEqual(await at.json(), history);
  });

  it('keeps files that a reader has begun to read, while ledgers close', async () => {
    const before = await newest();
    const hash = before.currentBuckets[0]?.curr ?? '';
    await scene.account();
    // The archive is built again when its cost allows, after about a second.
    let next = await newest();
    for (let look = 0; look < 600 && next.currentLedger === before.currentLedger; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      next = await newest();
    }
    assert.ok(next.currentLedger > before.currentLedger);
    assert.equal((await file(`bucket/${folders(hash)}/bucket-${hash}.xdr.gz`)).status, 200);
  });

  it('has the header files of checkpoints, and says that it lacks everything else', async () => {
    const { sequence } = await scene.server.getLatestLedger();
    const checkpoint = hexOf(sequence | 63);
    const headers = [
      ...records(await bytesOf(`ledger/${folders(checkpoint)}/ledger-${checkpoint}.xdr.gz`)),
    ];
    const [first] = headers.map((one) => xdr.LedgerHeaderHistoryEntry.fromXdr(one));
    assert.ok(headers.length > 0 && (first?.header.ledgerSeq ?? 0) >= (sequence | 63) - 63);
    const zero = '0'.repeat(64);
    for (const path of [
      'transactions/00/00/00/transactions-0000003f.xdr.gz',
      'history/00/00/00/history-00000001.json',
      `bucket/00/00/00/bucket-${zero}.xdr.gz`,
      `bucket/ab/00/00/bucket-${zero}.xdr.gz`,
      'ledger/00/00/00/history-00000001.json',
      'ledger/ff/ff/ff/ledger-ffffffff.xdr.gz',
      'ledger/00/00/00/ledger-%2e%2e.xdr.gz',
      '',
    ]) {
      assert.equal((await file(path)).status, 404, path);
    }
  });

  it('is built again only as often as its cost allows', async () => {
    const ledgers = new Set<number>();
    const start = performance.now();
    for (let asked = 0; asked < 40; asked += 1) {
      scene.ledger.closeLedger();
      ledgers.add((await newest()).currentLedger);
    }
    assert.ok(ledgers.size < 40, `${ledgers.size} archives in ${performance.now() - start} ms`);
  });
});
