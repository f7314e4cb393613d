import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatServiceFile, parseServiceFile, type ServiceFile } from './serviceFile.ts';

const FILE: ServiceFile = {
  version: 1,
  pid: 4242,
  startedAt: '2026-11-21T10:00:00.000Z',
  network: {
    id: 'stellar:testnet',
    passphrase: 'Test SDF Network ; September 2015',
    embedded: true,
    rpcUrl: 'http://127.0.0.1:8000/rpc',
    rpcTlsUrl: 'https://localhost:8000/rpc',
    certificateAuthorityFile: '/data/ca.pem',
    horizonUrl: 'http://127.0.0.1:8000',
    friendbotUrl: 'http://127.0.0.1:8000/friendbot',
  },
  facilitatorUrl: 'http://127.0.0.1:4021',
  policyGatewayUrl: null,
};

describe('The discovery file', () => {
  it('reads back what was written', () => {
    assert.deepEqual(parseServiceFile(formatServiceFile(FILE)), FILE);
  });

  it('is nothing when it is torn, of another version, or of another shape', () => {
    const text = formatServiceFile(FILE);
    for (const wrong of ['', text.slice(0, 40), '[]', 'null', text.replace('4242', '"4242"')]) {
      assert.equal(parseServiceFile(wrong), undefined);
    }
    assert.equal(parseServiceFile(formatServiceFile({ ...FILE, pid: -1 })), undefined);
    assert.equal(parseServiceFile(text.replace('"version": 1', '"version": 2')), undefined);
  });
});
