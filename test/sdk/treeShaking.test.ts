import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = existsSync(join(root, 'dist', 'sdk'));

/** Bytes, minified, that an app of a browser has of what it imports, by name; no more than these. */
const MOST = {
  // With what an error says of the authorization's fate.
  MaxAmountExceededError: 1_400,
  explainRefusal: 3_000,
  createPolicyClient: 30_000,
  // Pays by x402 and by MPP, whose messages take about 5,000 bytes.
  createX402Fetch: 291_000,
} as const;

describe('svc-x402/sdk in a bundled app', {
  skip: built ? false : 'needs a build',
}, () => {
  let app: string;
  before(() => {
    app = mkdtempSync(join(tmpdir(), 'svc-x402-app-'));
    mkdirSync(join(app, 'node_modules'));
    symlinkSync(root, join(app, 'node_modules', 'svc-x402'));
  });
  after(() => rmSync(app, { recursive: true }));

  for (const [name, most] of Object.entries(MOST)) {
    it(`adds only used parts: ${name} alone is at most ${most} bytes`, async (t) => {
      const { outputFiles } = await build({
        stdin: { contents: `export { ${name} } from 'svc-x402/sdk';`, resolveDir: app },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        preserveSymlinks: true,
        write: false,
      });
      const size = outputFiles[0]?.contents.length ?? 0;
      t.diagnostic(`${name}: ${size} bytes`);
      assert.ok(size > 100 && size <= most, `${size} bytes`);
    });
  }
});
