import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceFileOf } from '../../test/helpers/serviceFile.ts';
import { formatServiceFile, parseServiceFile } from './serviceFile.ts';

const FILE = serviceFileOf(4242);

describe('The discovery file', () => {
  it('reads what was written', () => {
    assert.deepEqual(parseServiceFile(formatServiceFile(FILE)), FILE);
  });

  it('is ignored if it is incomplete, of another version, or of another shape', () => {
    const text = formatServiceFile(FILE);
    for (const wrong of ['', text.slice(0, 40), '[]', 'null', text.replace('4242', '"4242"')]) {
      assert.equal(parseServiceFile(wrong), undefined);
    }
    assert.equal(parseServiceFile(formatServiceFile({ ...FILE, pid: -1 })), undefined);
    assert.equal(parseServiceFile(text.replace('"version": 1', '"version": 2')), undefined);
    for (const name of ['pid', 'startedAt', 'facilitatorUrl', 'network']) {
      assert.equal(parseServiceFile(text.replace(`"${name}"`, '"other"')), undefined, name);
    }
    for (const name of ['embedded', 'rpcUrl', 'rpcTlsUrl', 'friendbotUrl']) {
      const value = JSON.stringify({ ...FILE, network: { ...FILE.network, [name]: 5 } });
      assert.equal(parseServiceFile(value), undefined, name);
    }
    for (const name of ['token', 'passkeyToken', 'operatorToken']) {
      assert.equal(parseServiceFile(JSON.stringify({ ...FILE, [name]: null })), undefined, name);
    }
  });

  it('is read without members that this version does not know', () => {
    const network = { ...FILE.network, later: 1 };
    assert.deepEqual(parseServiceFile(JSON.stringify({ ...FILE, network, later: [] })), FILE);
  });
});
