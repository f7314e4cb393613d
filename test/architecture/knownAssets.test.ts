import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { USDC_CONTRACT, USDC_ISSUER, XLM_CONTRACT } from '../../src/protocol/index.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));

describe('the assets that everybody uses are defined once', () => {
  for (const [name, id] of Object.entries({ USDC_CONTRACT, USDC_ISSUER, XLM_CONTRACT })) {
    it(name, () => {
      const found = sources.filter((path) => readFileSync(join(root, path), 'utf8').includes(id));
      assert.deepEqual(found, ['protocol/testnetAssets.ts']);
    });
  }
});
