import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { answerToBadLine, answerToLongLine } from './badMessage.ts';
import { StdioWire } from './stdioWire.ts';

const refused = (line: string) => {
  const answer = answerToBadLine(line);
  return answer && [answer.id, answer.error.code];
};

describe('A line that is not a message of the protocol', () => {
  it('is answered as JSON-RPC 2.0 requires, with its id if it has a valid one', () => {
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
    const cases: readonly (readonly [unknown, readonly [number | string | null, number]])[] = [
      [{ ...call, jsonrpc: '1.0' }, [7, -32600]],
      [{ id: 7, method: 'tools/list' }, [7, -32600]],
      [{ jsonrpc: '2.0', id: 'a' }, ['a', -32600]],
      [{ ...call, method: 1 }, [7, -32600]],
      [{ ...call, id: null }, [null, -32600]],
      [{ ...call, id: 1.5 }, [null, -32600]],
      [{ ...call, id: {} }, [null, -32600]],
      [{ ...call, params: [1] }, [7, -32602]],
      [[call], [null, -32600]],
      [[], [null, -32600]],
      ['text', [null, -32600]],
      [null, [null, -32600]],
    ];
    for (const [value, expected] of cases) {
      assert.deepEqual(refused(JSON.stringify(value)), expected, JSON.stringify(value));
    }
    assert.deepEqual(refused('{"jsonrpc": "2.0", "method"'), [null, -32700]);
  });

  it('is not answered if it is a response or a notification', () => {
    assert.equal(refused('{"jsonrpc":"2.0","id":1,"result":5}'), undefined);
    assert.equal(refused('{"jsonrpc":"2.0","method":"notifications/x","params":[]}'), undefined);
  });
});

describe('A line that is too long', () => {
  it('is answered by the id at its start or end, and by none that is inside', () => {
    const idOf = (start: string, end: string) => answerToLongLine(start, end, 10).id;
    assert.equal(idOf('{"jsonrpc":"2.0","id":5,"method":"x', 'xx"}}'), 5);
    assert.equal(idOf('{"method":"tools/call","params":{', 'xx"},"jsonrpc":"2.0","id":"a"}'), 'a');
    assert.equal(idOf('{"method":"x","params":{"id":3,', '"id":4}}'), null);
  });

  it('does not end the connection: the next line is read', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const wire = new StdioWire(input, output, { answering: () => {}, cancelled: () => {} });
    const read: object[] = [];
    wire.onmessage = (message) => read.push(message);
    await wire.start();
    input.write(`{"method":"tools/call","params":{"x":"`);
    for (let megabyte = 0; megabyte < 11; megabyte++) input.write('x'.repeat(1_000_000));
    input.write('"},"jsonrpc":"2.0","id":3}\n{"jsonrpc":"2.0","id":4,"method":"ping"}\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    output.end();
    const { id, error } = JSON.parse(await text(output)) as { id: number; error: { code: number } };
    assert.deepEqual([id, error.code], [3, -32600]);
    assert.deepEqual(read, [{ jsonrpc: '2.0', id: 4, method: 'ping' }]);
  });
});
