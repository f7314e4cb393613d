import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BodyError, inBytes, readBody } from './readBody.ts';

const RULES = { maxBytes: 10, ifLonger: 'Use -o FILE to save it.' };

/** A body of these pieces, which then ends, fails or says nothing more. */
function body(
  pieces: readonly string[],
  end: 'closes' | 'fails' | 'is silent' | 'never ends' = 'closes',
) {
  let cancelled = false;
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (end === 'closes') controller.close();
      else if (end === 'fails')
        controller.error(new TypeError('terminated', { cause: new Error('other side closed') }));
      else if (end === 'never ends') controller.enqueue(new Uint8Array(1));
      else await new Promise(() => {});
    },
    cancel() {
      cancelled = true;
    },
  });
  return { stream, isCancelled: () => cancelled };
}

async function read(stream: ReadableStream<Uint8Array> | null, rules: object = {}) {
  let text = '';
  try {
    for await (const piece of readBody(stream, { ...RULES, ...rules })) {
      text += new TextDecoder().decode(piece);
    }
    return { text, failure: undefined };
  } catch (error) {
    assert.ok(error instanceof BodyError);
    return { text, failure: error.message };
  }
}

describe('The body of a paid response', () => {
  it('is read in pieces, up to the limit', async () => {
    assert.deepEqual(await read(body(['12345', '67890']).stream), {
      ...{ text: '1234567890', failure: undefined },
    });
    assert.deepEqual(await read(null), { text: '', failure: undefined });
  });

  it('that is longer ends at the limit, and its connection too', async () => {
    for (const end of ['closes', 'never ends'] as const) {
      const { stream, isCancelled } = body(['12345', '678901'], end);
      assert.deepEqual(await read(stream), {
        text: '1234567890',
        failure: 'The response is longer than 10 bytes. Use -o FILE to save it.',
      });
      assert.ok(end === 'closes' || isCancelled());
    }
  });

  it('that is cut off gives what arrived, and why', async () => {
    assert.deepEqual(await read(body(['12345'], 'fails').stream), {
      text: '12345',
      failure: 'The response was cut off: other side closed.',
    });
  });

  it('that stops arriving is given up', async () => {
    const { stream, isCancelled } = body(['12345'], 'is silent');
    assert.deepEqual(await read(stream, { maxSilenceMs: 20 }), {
      text: '12345',
      failure: 'The seller sent nothing more for 0.02 s.',
    });
    assert.ok(isCancelled());
  });
});

describe('A size', () => {
  for (const [bytes, size] of [
    [10, '10 bytes'],
    [1_536, '1.5 KiB'],
    [1 << 20, '1 MiB'],
    [2 ** 41, '2048 GiB'],
  ] as const) {
    it(`of ${bytes} bytes is ${size}`, () => {
      assert.equal(inBytes(bytes), size);
    });
  }
});
