import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { CircuitBreaker } from './circuitBreaker.ts';
import {
  EmbeddingError,
  type EmbeddingProvider,
  type EmbeddingPurpose,
} from './embeddingProvider.ts';
import { DIMENSIONS } from './kernels.ts';
import { readEmbeddings } from './readEmbeddings.ts';

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
