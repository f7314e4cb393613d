import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileIn, filesIn, type SoldFiles, serveSold } from './soldFiles.ts';

describe('A folder that is sold by a link', () => {
  let outside = '';
  let root = '';
  let server: SoldFiles;

  before(async () => {
    outside = realpathSync(mkdtempSync(join(tmpdir(), 'svc-x402-link-')));
    root = join(outside, 'shop');
    mkdirSync(join(root, 'photos', '.cache'), { recursive: true });
    mkdirSync(join(root, '.git'));
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    writeFileSync(join(root, 'a & b.txt'), 'plain');
    writeFileSync(join(root, '.env'), 'secret');
    writeFileSync(join(root, '.git', 'config'), 'secret');
    writeFileSync(join(root, 'photos', 'lima.png'), 'picture');
    writeFileSync(join(root, 'photos', '.cache', 'lima.png'), 'secret');
    writeFileSync(join(root, 'photos', 'odd;name.txt'), 'secret');
    symlinkSync(join(outside, 'secret.txt'), join(root, 'out.txt'));
    symlinkSync(outside, join(root, 'up'));
    symlinkSync(join(root, '.env'), join(root, 'hidden.txt'));
    symlinkSync(join(root, 'photos', 'lima.png'), join(root, 'same.png'));
    symlinkSync(root, join(root, 'photos', 'circle'));
    server = await serveSold({ kind: 'folder', path: root, title: 'A <shop>' });
  });
  after(async () => {
    await server.close();
    rmSync(outside, { recursive: true });
  });

  const get = (path: string): Promise<{ status: number; body: string; type: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = server.url;
      request({ hostname, port, path }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        const type = String(response.headers['content-type']);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body, type }));
      })
        .on('error', reject)
        .end();
    });
  const sold = (path: string) => get(`${server.url.pathname}${path}`);

  it('lists its files, without hidden ones and without links that lead out or around', async () => {
    const names = (await filesIn(root)).map(({ name }) => name);
    assert.deepEqual(names, ['a & b.txt', 'photos/lima.png', 'same.png']);
    const { body } = await sold('/');
    assert.match(body, /<h1><bdi>A &lt;shop&gt;<\/bdi><\/h1>/);
    assert.match(body, /<a href="\/a%20%26%20b\.txt"><bdi>a &amp; b\.txt<\/bdi><\/a> \(5 B\)/);
    assert.doesNotMatch(body, /secret|\.env|out\.txt/);
  });

  it('serves them with their media type', async () => {
    assert.deepEqual(await sold('/a%20%26%20b.txt'), {
      ...{ status: 200, body: 'plain', type: 'text/plain; charset=utf-8' },
    });
    assert.equal((await sold('/photos/lima.png')).type, 'image/png');
    assert.equal((await sold('/same.png')).body, 'picture');
  });

  const refused = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/photos/../../secret.txt',
    '/photos/..%5c..%5csecret.txt',
    '/..\\secret.txt',
    '//secret.txt',
    '/out.txt',
    '/up/secret.txt',
    '/up/shop/.env',
    '/hidden.txt',
    '/.env',
    '/%2eenv',
    '/.git/config',
    '/photos/.cache/lima.png',
    '/photos/odd;name.txt',
    '/photos',
    '/photos/',
    '/photos/lima.png/',
    '/photos/lima.png%00.txt',
    '/%',
    '/missing.txt',
    `/${encodeURIComponent('/etc/passwd')}`,
    `/${'a'.repeat(5_000)}`,
  ];
  for (const path of refused) {
    it(`does not serve ${path.slice(0, 40)}`, async () => {
      const found = await fileIn(root, path);
      await found?.file.close();
      assert.equal(found?.path, undefined);
      const { status, body } = await sold(path);
      assert.deepEqual([status, body], [404, '{"error":"not_found"}']);
    });
  }

  it('answers nobody who does not know the path that the proxy has', async () => {
    for (const path of ['/', '/a%20%26%20b.txt', `/${'0'.repeat(48)}/a%20%26%20b.txt`]) {
      assert.equal((await get(path)).status, 404);
    }
  });
});

describe('A text and a file that are sold by a link', () => {
  it('are served whole', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-x402-link-'));
    try {
      const path = join(folder, 'data.json');
      writeFileSync(path, '{"a":1}');
      for (const [thing, type, body] of [
        [{ kind: 'text', text: 'Grüße' }, 'text/plain; charset=utf-8', 'Grüße'],
        [{ kind: 'file', path }, 'application/json', '{"a":1}'],
      ] as const) {
        const server = await serveSold(thing);
        const response = await fetch(`${server.url}/anything`);
        assert.equal(response.headers.get('content-type'), type);
        assert.equal(await response.text(), body);
        await server.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
