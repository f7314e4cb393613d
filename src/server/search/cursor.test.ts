import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCursor, writeCursor } from './cursor.ts';

const weather = { query: 'weather', filters: {} };
const place = { asOf: 12, offset: 20, semantic: true };

describe('A cursor is opaque and bound to its query and filters', () => {
  it('[spec: GET /discovery/search/Response] is base64url, and is read back exactly', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            asOf: fc.maxSafeNat(),
            offset: fc.integer({ min: 1, max: 100_000 }),
            semantic: fc.boolean(),
          },
          { noNullPrototype: true },
        ),
        fc.string(),
        fc.option(fc.string(), { nil: undefined }),
        (written, query, payTo) => {
          const filters = payTo === undefined ? {} : { payTo };
          const cursor = writeCursor(written, { query, filters });
          assert.match(cursor, /^[\w-]+$/);
          assert.deepEqual(readCursor(cursor, { query, filters }), {
            kind: 'place',
            place: written,
          });
        },
      ),
    );
  });

  it('[spec: GET /discovery/search/Filters change] is invalid when filters or query change', () => {
    const cursor = writeCursor(place, { query: 'weather', filters: { type: 'http' } });
    const changed = { kind: 'refused', code: 'cursor_filters_changed' };
    assert.deepEqual(readCursor(cursor, weather), changed);
    assert.deepEqual(readCursor(cursor, { query: 'weather', filters: { type: 'mcp' } }), changed);
    assert.deepEqual(
      readCursor(cursor, { query: 'weather', filters: { type: 'http', scheme: 'exact' } }),
      changed,
    );
    const narrowed = { ...weather, filters: { type: 'http' }, narrowing: 'ownerVerified=true' };
    assert.deepEqual(readCursor(cursor, narrowed), changed);
    assert.equal(readCursor(writeCursor(place, narrowed), narrowed).kind, 'place');
    assert.deepEqual(readCursor(cursor, { query: 'forecast', filters: { type: 'http' } }), changed);
  });

  it('ignores the order of filters and white space around the query', () => {
    const cursor = writeCursor(place, {
      query: 'weather',
      filters: { type: 'http', scheme: 'exact' },
    });
    assert.equal(
      readCursor(cursor, { query: ' weather ', filters: { scheme: 'exact', type: 'http' } }).kind,
      'place',
    );
  });

  it('that was never ours is refused, whatever its content', () => {
    const invalid = { kind: 'refused', code: 'invalid_cursor' };
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        assert.deepEqual(readCursor(text, weather), invalid);
      }),
    );
    const ours = writeCursor(place, weather);
    assert.deepEqual(readCursor(`${ours} `, weather), invalid);
    assert.deepEqual(readCursor(`${ours}=`, weather), invalid);
  });

  it('of another version, with other flags or with an impossible offset is refused', () => {
    const changed = (change: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(writeCursor(place, weather), 'base64url');
      change(bytes);
      return readCursor(bytes.toString('base64url'), weather);
    };
    assert.deepEqual(
      changed(() => {}),
      { kind: 'place', place },
    );
    for (const change of [
      (bytes: Buffer) => bytes.writeUInt8(2, 0),
      (bytes: Buffer) => bytes.writeUInt8(2, 1),
      (bytes: Buffer) => bytes.writeDoubleBE(-1, 2),
      (bytes: Buffer) => bytes.writeDoubleBE(0.5, 2),
      (bytes: Buffer) => bytes.writeDoubleBE(Number.NaN, 2),
      (bytes: Buffer) => bytes.writeUInt32BE(0, 10),
      (bytes: Buffer) => bytes.writeUInt32BE(100_001, 10),
    ]) {
      assert.deepEqual(changed(change), { kind: 'refused', code: 'invalid_cursor' });
    }
    assert.equal(changed((bytes) => bytes.writeDoubleBE(0, 2)).kind, 'place');
    assert.equal(changed((bytes) => bytes.writeUInt32BE(100_000, 10)).kind, 'place');
  });
});
