import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { replaceFile, scriptsIn } from './sourceFiles.ts';

describe('the scripts of a folder', () => {
  it('include the app’s own, which can be in /.well-known, but not those of hidden folders', () => {
    const root = mkdtempSync(join(tmpdir(), 'scripts-'));
    try {
      const own = ['app/.well-known/openid-configuration/route.ts', 'src/app.ts'];
      const others = ['.git/hooks/a.js', '.next/server/app.js', 'node_modules/x/index.js'];
      for (const path of [...own, ...others]) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), '');
      }
      const found = scriptsIn(root).paths.map((path) => path.slice(root.length + 1));
      assert.deepEqual(found.sort(), own);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('include those in route folders whose names mean build output elsewhere', () => {
    const root = mkdtempSync(join(tmpdir(), 'scripts-'));
    try {
      const own = [
        'app/api/public/invoices/[token]/route.ts',
        'packages/api/src/routes/vendor/index.ts',
        'src/app/api/build/route.ts',
        'src/controllers/public/users.ts',
        'src/pages/api/target/out/index.ts',
      ];
      const others = [
        'public/app/search.js',
        'client/src/public/menu.js',
        'packages/api/build/routes/a.js',
        'packages/api/public/menu.js',
        'src/app/node_modules/x/index.js',
        'src/routes/dist/a.js',
      ];
      for (const path of [...own, ...others, 'packages/api/package.json']) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), '');
      }
      const found = (folder: string) =>
        scriptsIn(join(root, folder))
          .paths.map((path) => path.slice(root.length + 1))
          .sort();
      assert.deepEqual(found('.'), own);
      assert.deepEqual(found('app/api'), [own[0]]);
      assert.deepEqual(found('packages/api'), [own[1]]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

describe('a file is replaced', () => {
  it('under each of its names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-x402-names-'));
    try {
      const [one, two] = [join(folder, 'one.js'), join(folder, 'two.js')];
      writeFileSync(one, 'before');
      linkSync(one, two);
      replaceFile(one, 'after');
      assert.equal(readFileSync(two, 'utf8'), 'after');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
