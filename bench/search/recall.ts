import { VectorIndex } from '../../src/server/search/memory/vectorIndex.ts';
import { embeddingText } from '../../src/server/search/semantic/embeddingText.ts';
import { unit } from '../../src/server/search/semantic/quantized.ts';
import { localEmbedding } from '../../test/support/localEmbedding.ts';
import { labelledQueries } from '../../test/support/searchDocuments.ts';
import { corpus } from './corpus.ts';
import { percentile } from './measure.ts';

const DEPTH = 100;
const QUERIES = 20;

export interface Recall {
  readonly size: number;
  /** Share of the exact scan's top hundred that the index finds. */
  readonly recall: number;
  readonly p50: number;
  readonly exactP50: number;
  readonly bytesAnEntry: number;
}

/** Compares the quantised index with a scan of the original vectors, in 32-bit floats. */
export function measureRecall(size: number): Recall {
  const embedding = localEmbedding();
  const index = new VectorIndex();
  const vectors: Float32Array[] = [];
  for (const document of corpus(size)) {
    const vector = unit(embedding.embedText(embeddingText(document)));
    index.set(vectors.length, vector);
    vectors.push(vector);
  }
  const times: number[] = [];
  const exactTimes: number[] = [];
  let found = 0;
  for (const { query } of labelledQueries().slice(0, QUERIES)) {
    const vector = unit(embedding.embedText(query));
    const begin = performance.now();
    const near = index.nearest(
      vector,
      null,
      () => true,
      (a, b) => a < b,
      DEPTH,
      -1,
    );
    times.push(performance.now() - begin);
    const beginExact = performance.now();
    const cosines = Float64Array.from(vectors, (other) => dot(other, vector));
    const least = cosines.slice().sort().at(-DEPTH) ?? -1;
    exactTimes.push(performance.now() - beginExact);
    // Vectors with equal scores at the end are interchangeable.
    found += near.filter(({ slot }) => (cosines[slot] ?? -1) >= least - 1e-6).length;
  }
  return {
    size,
    recall: found / (QUERIES * DEPTH),
    p50: percentile(times, 0.5),
    exactP50: percentile(exactTimes, 0.5),
    bytesAnEntry: index.bytes / size,
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}
