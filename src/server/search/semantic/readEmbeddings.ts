import { EmbeddingError } from './embeddingProvider.ts';
import { DIMENSIONS } from './kernels.ts';

/**
 * Returns the vectors of an OpenAI-compatible response, in the order of the texts. Vectors of smaller models are
 * padded to 1,024 dimensions with zeros, which change no cosine.
 *
 * @param dimensions the model's number of dimensions, at most 1,024
 * @throws {EmbeddingError} `embeddings_mismatch` if they are not the requested ones
 */
export function readEmbeddings(
  answer: unknown,
  count: number,
  dimensions: number,
): readonly Float32Array[] {
  const data = member(answer, 'data');
  if (!Array.isArray(data) || data.length !== count) {
    throw mismatch(`not ${count} embeddings`);
  }
  const vectors: Float32Array[] = [];
  data.forEach((item: unknown, n) => {
    const index = member(item, 'index') ?? n;
    const embedding = member(item, 'embedding');
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw mismatch('an embedding of another index');
    }
    if (!Array.isArray(embedding) || embedding.length !== dimensions) {
      const found = Array.isArray(embedding) ? embedding.length : 'no';
      throw mismatch(`an embedding of ${found} dimensions, not ${dimensions}`);
    }
    const parts: unknown[] = embedding;
    const vector = new Float32Array(DIMENSIONS);
    vector.set(parts.map((part) => (typeof part === 'number' ? part : Number.NaN)));
    if (!vector.every(Number.isFinite)) throw mismatch('an embedding with other than numbers');
    vectors[index] = vector;
  });
  // If an index occurs twice, another one is missing.
  if (vectors.filter(Boolean).length !== count) throw mismatch('an embedding twice');
  return vectors;
}

const mismatch = (what: string) =>
  new EmbeddingError('embeddings_mismatch', `the embedding server answered with ${what}`);

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
