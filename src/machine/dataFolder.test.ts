import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dataFolderPath } from './dataFolder.ts';

describe('every part of the product uses the same data folder', () => {
  it('is .svc-x402 in the home folder', () => {
    assert.equal(dataFolderPath({}, join('home', 'ada')), join('home', 'ada', '.svc-x402'));
    assert.equal(dataFolderPath({ SVC_X402_DATA_DIR: '' }, 'home'), join('home', '.svc-x402'));
  });

  it('is the folder named in the environment, if any', () => {
    assert.equal(dataFolderPath({ SVC_X402_DATA_DIR: '/data/x402' }, 'home'), '/data/x402');
  });
});
