import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { unit } from '../semantic/quantized.ts';
import { rotate } from '../semantic/rotation.ts';
import { VectorRows } from '../semantic/vectorRows.ts';
import { VectorIndex } from './vectorIndex.ts';

const DIMENSIONS = 1024;

/** A sequence of numbers between -1 and 1, roughly normally distributed, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed | 0;
  const flat = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  return () => (flat() + flat() + flat() + flat() - 2) / 2;
}

const vectorOf = (next: () => number) => Float32Array.from({ length: DIMENSIONS }, next);

/** Vectors around centres, like those of similar texts, with unevenly weighted dimensions. */
function clustered(count: number, centres: number, seed: number): Float32Array[] {
  const next = numbers(seed);
  const middles = Array.from({ length: centres }, () => vectorOf(next));
  return Array.from({ length: count }, (_, n) => {
    const middle = middles[n % centres] ?? new Float32Array(DIMENSIONS);
    return middle.map((part, at) => (part + next() * 0.9) / (1 + (at % 64)));
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  const [x, y] = [unit(a), unit(b)];
  return x.reduce((sum, part, n) => sum + part * (y[n] ?? 0), 0);
}

function exactly(vectors: readonly Float32Array[], query: Float32Array, depth: number): number[] {
  return vectors
    .map((vector, slot) => ({ slot, near: cosine(vector, query) }))
    .sort((a, b) => b.near - a.near || a.slot - b.slot)
    .slice(0, depth)
    .map(({ slot }) => slot);
}

const all = () => true;
const older = (a: number, b: number) => a < b;

function indexOf(vectors: readonly Float32Array[]): VectorIndex {
  const index = new VectorIndex();
  vectors.forEach((vector, slot) => {
    index.set(slot, vector);
  });
  return index;
}

describe('The kernels compute the same as plain arithmetic', () => {
  it('cosines of 16 bits within 1e-5, and of 4 bits within 0.04', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const next = numbers(seed);
        const rows = new VectorRows();
        const vectors = [vectorOf(next), vectorOf(next), vectorOf(next)];
        for (const vector of vectors) rows.add(vector);
        const query = (vectors[0] ?? vectorOf(next)).map((part) => part + next());
        const measure = rows.measure(query);
        const heads = measure.heads();
        vectors.forEach((vector, row) => {
          const exact = cosine(vector, query);
          assert.ok(Math.abs(measure.fine(row) - exact) < 1e-5, `${measure.fine(row)} ${exact}`);
          assert.ok(
            Math.abs(measure.coarse(row, heads[row] ?? 0) - exact) < 0.04,
            `${measure.coarse(row, heads[row] ?? 0)} ${exact}`,
          );
        });
      }),
      { numRuns: 30 },
    );
  });

  it('a rotation keeps lengths and cosines', () => {
    const next = numbers(5);
    const [a, b] = [vectorOf(next), vectorOf(next)];
    assert.ok(Math.abs(cosine(rotate(a), rotate(b)) - cosine(a, b)) < 1e-6);
    const turned = rotate(unit(a));
    assert.ok(Math.abs(turned.reduce((sum, part) => sum + part * part, 0) - 1) < 1e-5);
  });

  it('[spec: GET /discovery/search/Semantic] a zero vector is near nothing, and one without exactly 1,024 dimensions is refused', () => {
    const rows = new VectorRows();
    rows.add(new Float32Array(DIMENSIONS));
    assert.equal(rows.measure(vectorOf(numbers(1))).fine(0), 0);
    assert.throws(() => rows.add(new Float32Array(384)), /1024 dimensions/);
  });
});

describe('The nearest by quantised codes are the nearest', () => {
  it('[spec: GET /discovery/search/Semantic] of few entries all are measured, with the same result as the exact scan', () => {
    const vectors = clustered(400, 12, 1);
    const query = vectors[3] ?? new Float32Array(DIMENSIONS);
    const found = indexOf(vectors).nearest(query, null, all, older, 50, -1);
    assert.deepEqual(
      found.map(({ slot }) => slot),
      exactly(vectors, query, 50),
    );
  });

  it('recall@100 is 0.99 or more against the exact scan of 6,000, clustered', () => {
    const vectors = clustered(6_000, 40, 7);
    const index = indexOf(vectors);
    const next = numbers(9);
    let found = 0;
    for (let n = 0; n < 10; n += 1) {
      const query = (vectors[n * 577] ?? vectorOf(next)).map((part) => part + next() * 0.02);
      const exact = new Set(exactly(vectors, query, 100));
      const near = index.nearest(query, null, all, older, 100, -1);
      found += near.filter(({ slot }) => exact.has(slot)).length;
    }
    assert.ok(found >= 990, `${found} of 1,000`);
  });

  it('recall@100 is 0.99 or more if nothing is near anything', () => {
    const next = numbers(3);
    const vectors = Array.from({ length: 4_000 }, () => vectorOf(next));
    const index = indexOf(vectors);
    let found = 0;
    for (let n = 0; n < 5; n += 1) {
      const query = vectorOf(next);
      const exact = new Set(exactly(vectors, query, 100));
      const near = index.nearest(query, null, all, older, 100, -1);
      found += near.filter(({ slot }) => exact.has(slot)).length;
    }
    assert.ok(found >= 495, `${found} of 500`);
  });

  it('cosines descend, equal ones are ordered by the tie break, and none is below the floor', () => {
    const vectors = clustered(1_000, 5, 4);
    const twin = vectors[10] ?? new Float32Array(DIMENSIONS);
    const index = indexOf([...vectors, twin]);
    const near = index.nearest(twin, null, all, (a, b) => a > b, 100, 0.3);
    assert.deepEqual(
      near.slice(0, 2).map(({ slot }) => slot),
      [1_000, 10],
    );
    near.forEach(({ cosine: c }, n) => {
      assert.ok(c >= 0.3 && (n === 0 || c <= (near[n - 1]?.cosine ?? 0)));
    });
  });

  it('a filter with few and one with many matches allow only their own', () => {
    const vectors = clustered(2_000, 8, 6);
    const index = indexOf(vectors);
    const query = vectors[0] ?? new Float32Array(DIMENSIONS);
    for (const every of [100, 2]) {
      const has = (slot: number) => slot % every === 0;
      const slots = Uint32Array.from([...vectors.keys()].filter(has));
      const found = index.nearest(query, { slots, has }, all, older, 20, -1);
      const exact = exactly(vectors, query, 2_000).filter(has).slice(0, 20);
      assert.deepEqual(
        found.map(({ slot }) => slot),
        exact,
      );
    }
  });

  it('a dropped vector is not found, and its place is reused', () => {
    const vectors = clustered(3_000, 8, 2);
    const index = indexOf(vectors);
    const { bytes } = index;
    for (let slot = 0; slot < 1_000; slot += 1) index.remove(slot);
    assert.equal(index.size, 2_000);
    vectors.slice(0, 1_000).forEach((vector, n) => {
      index.set(5_000 + n, vector);
    });
    assert.equal(index.bytes, bytes);
    const query = vectors[1] ?? new Float32Array(DIMENSIONS);
    assert.equal(index.nearest(query, null, all, older, 1, -1)[0]?.slot, 5_001);
  });
});
