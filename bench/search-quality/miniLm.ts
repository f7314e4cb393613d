import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { embeddingText } from '../../src/server/search/semantic/embeddingText.ts';
import { best, type Ranker } from './contenders.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/search-table/minilm.py', import.meta.url));
const DIMENSIONS = 384;

/**
 * all-MiniLM-L6-v2 alone: entries by exact cosine to the query. It gets the same text as our own semantic stage.
 *
 * @param wheels the folder with the model's wheel (`scripts/search-table/minilm.py`)
 */
export const miniLm =
  (wheels: string): Ranker =>
  (entries, queries) => {
    const texts = [...entries.map(embeddingText), ...queries.map(({ query }) => query)];
    const vectors = embedded(wheels, texts);
    const ranked = queries.map((_, q) => {
      const query = vectorAt(vectors, entries.length + q);
      const scored = entries.map(({ id }, n) => ({ id, score: dot(query, vectorAt(vectors, n)) }));
      return best(scored);
    });
    return Promise.resolve(ranked);
  };

function embedded(wheels: string, texts: readonly string[]): Float32Array {
  const { PYTHON: python = 'python3' } = process.env;
  const output = execFileSync(python, [SCRIPT, wheels], {
    input: JSON.stringify(texts),
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const vectors = new Float32Array(new Uint8Array(output).buffer);
  if (vectors.length !== texts.length * DIMENSIONS) throw new Error('vectors are missing');
  return vectors;
}

const vectorAt = (vectors: Float32Array, n: number): Float32Array =>
  vectors.subarray(n * DIMENSIONS, (n + 1) * DIMENSIONS);

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n += 1) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}
