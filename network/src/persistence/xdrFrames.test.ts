import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { frameOf, walkFrames } from './xdrFrames.ts';

const values = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 });

function read(bytes: Uint8Array): Uint8Array[] {
  return walkFrames(bytes).places.map(({ offset, length }) =>
    Uint8Array.from(bytes.subarray(offset, offset + length)),
  );
}

describe('a file of frames', () => {
  it('returns the written values, in order', () => {
    fc.assert(
      fc.property(values, (written) => {
        const file = Buffer.concat(written.map(frameOf));
        assert.deepEqual(read(file), written);
        assert.equal(walkFrames(file).tail, 'none');
      }),
    );
  });

  it('returns every complete value of a file that was cut anywhere, and where they end', () => {
    fc.assert(
      fc.property(values, fc.nat(), (written, at) => {
        const frames = written.map(frameOf);
        const file = Buffer.concat(frames);
        const cut = file.subarray(0, at % (file.length + 1));
        let whole = 0;
        let end = 0;
        for (const frame of frames) {
          if (end + frame.length > cut.length) break;
          end += frame.length;
          whole += 1;
        }
        assert.deepEqual(read(cut), written.slice(0, whole));
        const walk = walkFrames(cut);
        assert.equal(walk.end, end);
        assert.equal(walk.tail, end === cut.length ? 'none' : 'torn');
      }),
    );
  });

  it('treats zeros at the end as the result of a power failure, and anything else as damage', () => {
    const frame = frameOf(Uint8Array.of(1, 2, 3));
    assert.equal(walkFrames(Buffer.concat([frame, Buffer.alloc(9)])).tail, 'torn');
    const foreign = Buffer.concat([frame, Buffer.from('not a frame')]);
    assert.deepEqual(
      { tail: walkFrames(foreign).tail, end: walkFrames(foreign).end },
      { tail: 'foreign', end: frame.length },
    );
  });
});
