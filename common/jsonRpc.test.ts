import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { jsonRpcBatch, jsonRpcCall, readJsonRpcAnswer, readJsonRpcBatch } from './jsonRpc.ts';

describe('JSON-RPC 2.0', () => {
  it('a call names its method, and has params only if there are any', () => {
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
    assert.deepEqual(readJsonRpcAnswer('{"result":null}', 7), { kind: 'result', result: null });
    assert.deepEqual(readJsonRpcAnswer('{"error":{"code":-32602,"message":"no"}}', 7), {
      kind: 'error',
      message: 'no',
      code: -32_602,
    });
    assert.deepEqual(readJsonRpcAnswer('{"error":{}}', 7), {
      kind: 'error',
      message: 'no message',
      code: undefined,
    });
    for (const text of ['', '<html>', 'null', '7', '[]', '{}', '{"error":null}']) {
      assert.equal(readJsonRpcAnswer(text, 7).kind, 'malformed', text);
    }
  });

  it('an answer with the id of another call is malformed, whatever its content', () => {
    for (const id of ['8', '"7"', 'null', '[7]', 'true', '7.5']) {
      const text = `{"jsonrpc":"2.0","id":${id},"result":{"status":"SUCCESS"}}`;
      assert.equal(readJsonRpcAnswer(text, 7).kind, 'malformed', text);
    }
    const other = '{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"no"}}';
    assert.equal(readJsonRpcAnswer(other, 7).kind, 'malformed');
    assert.equal(
      readJsonRpcAnswer('[{"id":7,"result":1},{"id":8,"result":2}]', 7).kind,
      'malformed',
    );
    assert.equal(readJsonRpcAnswer('{"id":7,"result":1}', 7).kind, 'result');
    // A server that failed to read the call does not know its id.
    assert.equal(readJsonRpcAnswer('{"id":null,"error":{"code":-32700}}', 7).kind, 'error');
    assert.equal(readJsonRpcAnswer('{"id":null,"error":{},"result":1}', 7).kind, 'malformed');
  });

  it('reading never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.ok(['result', 'error', 'malformed'].includes(readJsonRpcAnswer(text, 7).kind));
      }),
    );
  });

  it('a batch is a list of calls, and its answers are found by their ids', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        (ids, draws) => {
          const calls = ids.map((id) => ({ id, method: `m${id}`, params: undefined }));
          const sent = JSON.parse(jsonRpcBatch(calls)) as { id: number; method: string }[];
          assert.deepEqual(
            sent.map(({ id, method }) => [id, method]),
            ids.map((id) => [id, `m${id}`]),
          );
          const drawn = new Map(ids.map((id) => [id, draws.next().value]));
          const answers = sent
            .map(({ id }) => ({ jsonrpc: '2.0', id, result: id }))
            .sort((a, b) => (drawn.get(a.id) ?? 0) - (drawn.get(b.id) ?? 0));
          assert.deepEqual(
            readJsonRpcBatch(JSON.stringify(answers), ids),
            ids.map((id) => ({ kind: 'result', result: id })),
          );
        },
      ),
    );
  });

  it('reading a batch never throws, and never returns an answer to a call that the body does not name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const answers = readJsonRpcBatch(text, [-7, -8]);
        if (answers !== undefined) assert.match(text, /-[78]/);
      }),
    );
  });
});
