import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ReplyReader, RequestWriter, readBytes } from './codec.ts';

describe('The codec of the host', () => {
  it('reads back everything it wrote, whatever the lengths', () => {
    fc.assert(
      fc.property(
        fc.nat(0xffffffff),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.boolean(),
        fc.array(fc.uint8Array({ maxLength: 3000 })),
        (n, big, flag, items) => {
          const w = new RequestWriter();
          w.u32(n).u64(BigInt.asUintN(64, big)).bool(flag);
          w.list(items, (item) => w.bytes(item));
          const reply = new ReplyReader(w.finish());
          assert.equal(reply.u32(), n);
          assert.equal(reply.i64(), big);
          assert.equal(reply.bool(), flag);
          assert.deepEqual(reply.list(readBytes), items);
        },
      ),
    );
  });

  it('hands out copies, because the module writes over its memory', () => {
    const memory = new RequestWriter().bytes(Uint8Array.of(1, 2, 3)).finish();
    const taken = new ReplyReader(memory).bytes();
    memory.fill(0);
    assert.deepEqual(taken, Uint8Array.of(1, 2, 3));
  });

  it('refuses integers that would be truncated, and byte strings of an unexpected length', () => {
    const w = new RequestWriter();
    for (const n of [-1, 2 ** 32, 1.5, Number.NaN]) {
      assert.throws(() => w.u32(n), RangeError);
    }
    for (const n of [-1n, 2n ** 64n]) {
      assert.throws(() => w.u64(n), RangeError);
    }
    assert.throws(() => w.fixed(new Uint8Array(31), 32), RangeError);
  });
});
