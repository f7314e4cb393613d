import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesWritten, headersWritten } from './nodeWrites.ts';

describe('What is written to a response of node:http', () => {
  it('has the headers of writeHead in place of those that are set, without letter case', () => {
    const set = { 'content-type': 'text/plain', etag: '"1"' };
    assert.deepEqual(headersWritten(set, [200, { 'Content-Type': 'application/json' }]), [
      ['content-type', 'application/json'],
      ['etag', '"1"'],
    ]);
  });

  it('has each value of a header that a list names twice', () => {
    const cookies = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ];
    assert.deepEqual(headersWritten({}, [200, 'OK', cookies.flat()]), cookies);
    assert.deepEqual(headersWritten({}, [200, cookies]), cookies);
    assert.deepEqual(headersWritten({ 'set-cookie': ['a=1', 'b=2'] }, []), cookies);
  });

  it('has no header without a value', () => {
    assert.deepEqual(headersWritten({ etag: undefined }, [200]), []);
  });

  it('has the bytes of a text in its encoding', () => {
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
    assert.equal(text(bytesWritten(['cGFpZA==', 'base64'])), 'paid');
    assert.equal(text(bytesWritten(['70616964', 'hex'])), 'paid');
    assert.equal(text(bytesWritten(['é', 'latin1'])), 'é');
    assert.equal(text(bytesWritten(['paid'])), 'paid');
    assert.equal(bytesWritten([() => {}]).length, 0);
  });

  it('has a copy of the bytes, whose buffer the writer may use again', () => {
    const buffer = Buffer.from('paid');
    const bytes = bytesWritten([buffer]);
    buffer.fill(0);
    assert.equal(Buffer.from(bytes).toString(), 'paid');
  });
});
