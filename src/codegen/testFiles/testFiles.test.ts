import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTestFile } from './index.ts';

describe('a test, whose servers nobody sells', () => {
  for (const path of [
    'src/app.test.ts',
    'src/app.spec.mjs',
    'src/app_test.js',
    'src\\__tests__\\app.js',
    'test/app.js',
    'tests/helpers/server.ts',
    'e2e/a.ts',
    'cypress/support/server.js',
    'app/api/test/helpers.ts',
  ]) {
    it(path, () => assert.equal(isTestFile(path, ''), true));
  }
  for (const path of [
    'src/app.ts',
    'src/latest/app.ts',
    'src/contest.ts',
    'src/test.ts',
    'app/api/test/route.ts',
    'src/app/spec/route.js',
  ]) {
    it(`not ${path}`, () => assert.equal(isTestFile(path, ''), false));
  }

  it('not a file with a payment of ours', () => {
    assert.equal(isTestFile('test/server.ts', 'const a = 1;\n// svc-x402: payments\n'), false);
  });
});
