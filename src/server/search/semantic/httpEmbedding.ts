import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import {
  EmbeddingError,
  type EmbeddingProvider,
  type EmbeddingPurpose,
} from './embeddingProvider.ts';
import { DIMENSIONS } from './kernels.ts';

/**
 * Returns the vectors of an OpenAI-compatible response, in the order of the texts. Vectors of smaller models are
 * padded to 1,024 dimensions with zeros, which change no cosine.
 *
 * @param dimensions the model's number of dimensions, at most 1,024
 * @throws {EmbeddingError} `embeddings_mismatch` if they are not the requested ones
 */
function readEmbeddings(
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

const FAILURES = 3;
const HELD_BACK_MS = 30_000;

/**
 * Blocks calls after several consecutive failures, then lets one through as a probe (closed → open →
 * probing). So queries do not wait for a provider that is down, and calls do not keep it from recovering.
 */
class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntil = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  state(): 'closed' | 'open' | 'probing' {
    if (this.#failures < FAILURES) return 'closed';
    return this.#probing ? 'probing' : 'open';
  }

  /** Whether a call may be made now. The caller must report the outcome of an admitted call. */
  admit(): boolean {
    if (this.#failures < FAILURES) return true;
    if (this.#probing || this.#clock.elapsed() < this.#openUntil) return false;
    this.#probing = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#probing = false;
  }

  failed(): void {
    this.#failures += 1;
    this.#probing = false;
    if (this.#failures >= FAILURES) this.#openUntil = this.#clock.elapsed() + HELD_BACK_MS;
  }
}

/** Texts in one call. */
const BATCH = 64;
const TIMEOUT_MS = 10_000;

export interface HttpEmbeddingOptions {
  /** Base URL of an OpenAI-compatible server, such as `http://127.0.0.1:11434/v1`, or of its `/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Cosine below which a text is unrelated to a query; depends on the model. */
  readonly floor?: number;
  /** The model's dimensions, if fewer than 1,024; otherwise requests ask for 1,024. */
  readonly dimensions?: number;
  /** Prefixes that the model expects, such as `query: ` and `passage: `. */
  readonly prefixes?: Readonly<Record<EmbeddingPurpose, string>>;
  readonly timeoutMs?: number;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Returns a name that differs for incomparable embeddings. */
function nameOf({ model, dimensions, prefixes }: HttpEmbeddingOptions): string {
  const entry = prefixes?.entry ?? '';
  const parts = [model, ...(dimensions === undefined ? [] : [`${dimensions}`])];
  return [...parts, ...(entry === '' ? [] : [JSON.stringify(entry)])].join(' ');
}

/**
 * Embeddings from a server with OpenAI's `POST /embeddings`: Ollama, text-embeddings-inference, hosted ones. Requests and
 * checks 1,024 dimensions, unless the model has fewer. Follows no redirect, so that the key is sent only to its own server;
 * logs and errors contain no part of key, texts or responses.
 */
export class HttpEmbedding implements EmbeddingProvider {
  readonly name: string;
  readonly floor: number;
  readonly scale = null;
  readonly local = false;
  readonly #options: HttpEmbeddingOptions;
  readonly #endpoint: string;
  readonly #breaker: CircuitBreaker;

  constructor(options: HttpEmbeddingOptions) {
    this.name = nameOf(options);
    this.floor = options.floor ?? 0;
    this.#options = options;
    const base = options.url.replace(/\/+$/, '');
    this.#endpoint = base.endsWith('/embeddings') ? base : `${base}/embeddings`;
    this.#breaker = new CircuitBreaker(options.clock);
  }

  circuit(): 'closed' | 'open' | 'probing' {
    return this.#breaker.state();
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
  ): Promise<readonly Float32Array[]> {
    const prefix = this.#options.prefixes?.[purpose] ?? '';
    const made: Float32Array[] = [];
    for (let first = 0; first < texts.length; first += BATCH) {
      made.push(
        ...(await this.#call(texts.slice(first, first + BATCH).map((text) => `${prefix}${text}`))),
      );
    }
    return made;
  }

  async #call(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (!this.#breaker.admit()) {
      throw new EmbeddingError('embeddings_held_back', 'calls are held back after failures');
    }
    try {
      const vectors = await this.#request(texts);
      this.#breaker.succeeded();
      return vectors;
    } catch (error) {
      this.#breaker.failed();
      const { logger, model } = this.#options;
      const failure =
        error instanceof EmbeddingError
          ? error
          : new EmbeddingError('embeddings_unavailable', 'the embedding server did not answer');
      logger.warn({ model, code: failure.code, reason: failure.message }, 'no embeddings');
      throw failure;
    }
  }

  async #request(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const { apiKey, clock, dimensions, fetch: post, model, timeoutMs } = this.#options;
    const abort = new AbortController();
    const cancel = clock.after(timeoutMs ?? TIMEOUT_MS, () => abort.abort());
    try {
      const response = await post(this.#endpoint, {
        method: 'POST',
        redirect: 'error',
        signal: abort.signal,
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model,
          input: texts,
          // Servers refuse `dimensions` for models with a fixed size.
          ...(dimensions === undefined ? { dimensions: DIMENSIONS } : {}),
          encoding_format: 'float',
        }),
      });
      if (!response.ok) {
        throw new EmbeddingError(
          'embeddings_unavailable',
          `the embedding server answered ${response.status}`,
        );
      }
      const answer: unknown = await response.json();
      return readEmbeddings(answer, texts.length, dimensions ?? DIMENSIONS);
    } finally {
      cancel();
    }
  }
}
