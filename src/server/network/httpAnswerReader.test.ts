import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HttpAnswerReader, type ReadState } from './httpAnswerReader.ts';

const MOST = 1_000;

/** Reads bytes that arrive in pieces, split at some places, and are overwritten afterwards. */
function read(text: string, cuts: readonly number[] = [], ends = false): ReadState {
  const reader = new HttpAnswerReader(MOST);
  const bytes = Buffer.from(text);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  let state: ReadState = { state: 'incomplete' };
  for (const to of [...places, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(from, to));
    from = to;
    if (piece.length === 0) continue;
    state = reader.push(piece);
    // A socket reads the next bytes into the same buffer.
    piece.fill(0);
    if (state.state !== 'incomplete') return state;
  }
  return ends ? reader.end() : state;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const whole = (text: string, keptMs = 60_000, status = 200): ReadState => ({
  state: 'whole',
  answer: { status, text },
  keptMs,
});

describe('The response of an RPC server', () => {
  const cases: [string, string, ReadState['state'] | ReadState][] = [
    ['with a length', `${OK}Content-Length: 3\r\n\r\nabc`, whole('abc')],
    ['of no bytes', `${OK}content-length:0\r\n\r\n`, whole('')],
    ['in bytes, not letters', `${OK}content-length: 2\r\n\r\né`, whole('é')],
    [
      'in chunks, with extensions and trailers',
      `${OK}Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x="y"\r\n0123456789\r\n0\r\nt: 1\r\n\r\n`,
      whole('abc0123456789'),
    ],
    ['another status', 'HTTP/1.1 503 \r\ncontent-length: 1\r\n\r\nx', whole('x', 60_000, 503)],
    ['without a reason', 'HTTP/1.1 404\r\ncontent-length: 1\r\n\r\nx', whole('x', 60_000, 404)],
    [
      'after an interim one',
      `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 1\r\n\r\nx`,
      whole('x'),
    ],
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', whole('', 60_000, 204)],
    [
      'says how long its connection is kept',
      `${OK}keep-alive: timeout=5\r\ncontent-length: 1\r\n\r\nx`,
      whole('x', 4_000),
    ],
    ['ends its connection', `${OK}connection: close\r\ncontent-length: 1\r\n\r\nx`, whole('x', 0)],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\nx', whole('x', 0)],
    [
      'of HTTP/1.0 on a kept connection',
      'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\nx',
      whole('x'),
    ],
    [
      'with bytes after it: the connection is not used again',
      `${OK}content-length: 1\r\n\r\nxy`,
      whole('x', 0),
    ],
    [
      'with the same length twice',
      `${OK}content-length: 1\r\ncontent-length: 1\r\n\r\nx`,
      whole('x'),
    ],
    ['with two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxy`, 'malformed'],
    [
      'with a length and chunks',
      `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      'malformed',
    ],
    ['with an invalid length', `${OK}content-length: -1\r\n\r\n`, 'malformed'],
    ['in an unknown coding', `${OK}transfer-encoding: gzip, chunked\r\n\r\n`, 'malformed'],
    ['with an invalid chunk', `${OK}transfer-encoding: chunked\r\n\r\nxyz\r\n`, 'malformed'],
    [
      'with a chunk that is longer than its size says',
      `${OK}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n`,
      'malformed',
    ],
    ['with a header without a name', `${OK}: x\r\n\r\n`, 'malformed'],
    ['with a header over two lines', `${OK}a: x\r\n y\r\n\r\n`, 'malformed'],
    ['in another protocol', 'HTTP/2 200 OK\r\n\r\n', 'malformed'],
    ['that changes the protocol', 'HTTP/1.1 101 Switching\r\n\r\n', 'malformed'],
    ['with endless headers', `${OK}a: ${'x'.repeat(20_000)}`, 'malformed'],
    ['too long', `${OK}content-length: ${MOST + 1}\r\n\r\n`, 'too_large'],
    [
      'too long in chunks',
      `${OK}transfer-encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(MOST + 1)}`,
      'too_large',
    ],
    ['that has not arrived completely', `${OK}content-length: 3\r\n\r\nab`, 'incomplete'],
    [
      'whose last chunk has not arrived',
      `${OK}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`,
      'incomplete',
    ],
  ];
  for (const [what, text, expected] of cases) {
    it(`${what}, whichever pieces it arrives in`, () => {
      const judge = (state: ReadState): void => {
        // Whether following bytes are seen depends on the pieces.
        if (typeof expected === 'string') assert.equal(state.state, expected);
        else if (!what.startsWith('with bytes after')) assert.deepEqual(state, expected);
      };
      if (typeof expected !== 'string') assert.deepEqual(read(text), expected);
      fc.assert(
        fc.property(fc.array(fc.nat(30_000), { maxLength: 12 }), (cuts) => judge(read(text, cuts))),
      );
    });
  }

  it('lasts until its connection ends if nothing says how long it is', () => {
    assert.deepEqual(read(`${OK}\r\nabc`), { state: 'incomplete' });
    assert.deepEqual(read(`${OK}\r\nabc`, [20, 21], true), whole('abc', 0));
    assert.deepEqual(read(`${OK}content-length: 3\r\n\r\nab`, [], true), { state: 'incomplete' });
    assert.deepEqual(read(`${OK}\r\n${'x'.repeat(MOST + 1)}`), { state: 'too_large' });
  });

  it('is never a reason to throw', () => {
    const good = Buffer.from(`${OK}transfer-encoding: chunked\r\nx: y\r\n\r\n2\r\nab\r\n0\r\n\r\n`);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.array(fc.nat(100), { maxLength: 3 }),
        (changes, cuts) => {
          const bytes = Buffer.from(good);
          for (const [at, value] of changes) bytes[at] = value;
          read(bytes.toString('latin1'), cuts, true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
