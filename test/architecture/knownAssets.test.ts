import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_CONTRACT, USDC_ISSUER, XLM_CONTRACT } from '../../common/testnetAssets.ts';
import { projectFile } from '../docs/pages/projectFile.ts';
import { allSourceFiles } from '../docs/pages/sourceFiles.ts';

describe('the assets that everybody uses are defined once', () => {
  for (const [name, id] of Object.entries({ USDC_CONTRACT, USDC_ISSUER, XLM_CONTRACT })) {
    it(name, () => {
      const found = allSourceFiles().filter((path) => projectFile(path).includes(id));
      assert.deepEqual(found, ['common/testnetAssets.ts']);
    });
  }
});
