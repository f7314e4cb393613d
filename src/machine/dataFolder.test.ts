import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dataFolderPath } from './dataFolder.ts';

describe('the data folder is in one place for every part of the product', () => {
  it('is .svc-x402 in the home folder', () => {
    assert.equal(dataFolderPath({}, join('home', 'ada')), join('home', 'ada', '.svc-x402'));
    assert.equal(dataFolderPath({ SVC_X402_DATA_DIR: '' }, 'home'), join('home', '.svc-x402'));
  });

  it('is where the environment says, when it says so', () => {
    assert.equal(dataFolderPath({ SVC_X402_DATA_DIR: '/data/x402' }, 'home'), '/data/x402');
  });
});
