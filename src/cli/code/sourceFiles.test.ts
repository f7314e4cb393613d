import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { scriptsIn } from './sourceFiles.ts';

describe('the scripts of a folder', () => {
  it('are those of the app, which may answer under /.well-known, and not of hidden folders', () => {
    const root = mkdtempSync(join(tmpdir(), 'scripts-'));
    try {
      const own = ['app/.well-known/openid-configuration/route.ts', 'src/app.ts'];
      const others = ['.git/hooks/a.js', '.next/server/app.js', 'node_modules/x/index.js'];
      for (const path of [...own, ...others]) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), '');
      }
      const found = [...scriptsIn(root)].map((path) => path.slice(root.length + 1));
      assert.deepEqual(found.sort(), own);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
