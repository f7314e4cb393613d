import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { jsonRpcCall, readJsonRpcAnswer } from './jsonRpc.ts';

describe('JSON-RPC 2.0', () => {
  it('a call names its method, and has params only where there are some', () => {
    assert.equal(
      jsonRpcCall(7, 'getHealth', undefined),
      '{"jsonrpc":"2.0","id":7,"method":"getHealth"}',
    );
    assert.deepEqual(JSON.parse(jsonRpcCall(8, 'x', { a: 1 })), {
      jsonrpc: '2.0',
      id: 8,
      method: 'x',
      params: { a: 1 },
    });
  });

  it('an answer is a result, an error, or malformed', () => {
    assert.deepEqual(readJsonRpcAnswer('{"result":null}'), { kind: 'result', result: null });
    assert.deepEqual(readJsonRpcAnswer('{"error":{"code":-32602,"message":"no"}}'), {
      kind: 'error',
      message: 'no',
      code: -32_602,
    });
    assert.deepEqual(readJsonRpcAnswer('{"error":{}}'), {
      kind: 'error',
      message: 'no message',
      code: undefined,
    });
    for (const text of ['', '<html>', 'null', '7', '[]', '{}', '{"error":null}']) {
      assert.equal(readJsonRpcAnswer(text).kind, 'malformed', text);
    }
  });

  it('reading never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.ok(['result', 'error', 'malformed'].includes(readJsonRpcAnswer(text).kind));
      }),
    );
  });
});
