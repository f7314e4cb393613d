import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type BytesPlace, PackedBytes } from './entryStore.ts';

describe('Packed values', () => {
  it('are unchanged, whatever is added and removed', () => {
    const units = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 140 }));
    const what = fc.constantFrom('add', 'replace', 'remove');
    const step = fc.record({ units, fill: fc.nat({ max: 255 }), what });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const packed = new PackedBytes();
        const kept: { readonly place: BytesPlace; readonly bytes: Uint8Array }[] = [];
        for (const { units, fill, what } of steps) {
          const bytes = new Uint8Array(4 * units).fill(fill);
          const known = what === 'add' ? undefined : kept.splice(fill % (kept.length + 1), 1)[0];
          if (known === undefined) kept.push({ place: packed.add(bytes), bytes });
          else if (what === 'remove') packed.remove(known.place);
          else kept.push({ place: packed.replace(known.place, bytes), bytes });
        }
        for (const { place, bytes } of kept) assert.deepEqual(packed.view(place), bytes);
      }),
    );
  });

  it('fill many chunks', () => {
    const packed = new PackedBytes();
    const places = Array.from({ length: 5_000 }, (_, at) => {
      const bytes = Buffer.alloc(92);
      bytes.writeUInt32BE(at, 88);
      return packed.add(bytes);
    });
    for (const [at, place] of places.entries()) {
      assert.equal(Buffer.from(packed.view(place)).readUInt32BE(88), at);
    }
  });

  it('are copies', () => {
    const packed = new PackedBytes();
    for (const length of [8, 2_000]) {
      const bytes = new Uint8Array(length);
      const place = packed.add(bytes);
      bytes.fill(1);
      assert.deepEqual(packed.view(place), new Uint8Array(length));
    }
  });
});
