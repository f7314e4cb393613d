import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { type EmbeddingCache, embeddingKey } from './embeddingCache.ts';
import { EmbeddingError, type EmbeddingProvider } from './embeddingProvider.ts';

const BATCH = 64;
const RETRY_AFTER_MS = 30_000;

interface PendingOptions {
  readonly provider: EmbeddingProvider;
  readonly cache: EmbeddingCache;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Callback that receives an embedding. */
  readonly use: (id: string, vector: Float32Array) => Promise<void>;
}

/**
 * Computes pending embeddings, one batch at a time. Those that a provider cannot compute now wait and are retried.
 */
export class PendingEmbeddings {
  readonly #options: PendingOptions;
  readonly #texts = new Map<string, string>();
  #running: Promise<void> | null = null;
  #cancelRetry: (() => void) | null = null;

  constructor(options: PendingOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#texts.size;
  }

  /** A later text of the same entry replaces the earlier one. */
  add(id: string, text: string): void {
    this.#texts.set(id, text);
    if (this.#cancelRetry === null) this.#run();
  }

  drop(id: string): void {
    this.#texts.delete(id);
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #run(): void {
    this.#running ??= this.#drain().finally(() => {
      this.#running = null;
      // Texts that arrived while the last batch was being stored.
      if (this.#texts.size > 0 && this.#cancelRetry === null) this.#run();
    });
  }

  async #drain(): Promise<void> {
    const { clock, logger, provider } = this.#options;
    // Lets entries that are added together share a batch.
    await clock.sleep(0);
    while (this.#texts.size > 0) {
      const batch = [...this.#texts].slice(0, BATCH);
      try {
        await this.#make(batch);
      } catch (error) {
        const code = error instanceof EmbeddingError ? error.code : 'embeddings_unavailable';
        logger.warn({ provider: provider.name, code }, 'could not create embeddings; will retry');
        this.#cancelRetry = clock.after(RETRY_AFTER_MS, () => {
          this.#cancelRetry = null;
          this.#run();
        });
        return;
      }
    }
  }

  async #make(batch: readonly (readonly [id: string, text: string])[]): Promise<void> {
    const { cache, provider, use } = this.#options;
    const keys = batch.map(([, text]) => embeddingKey(provider.name, text));
    const known = await cache.find(keys);
    const missing = new Map<string, string>();
    batch.forEach(([, text], n) => {
      const key = keys[n] ?? '';
      if (!known.has(key)) missing.set(key, text);
    });
    const made = new Map<string, Float32Array>();
    if (missing.size > 0) {
      const vectors = await provider.embed([...missing.values()], 'entry');
      [...missing.keys()].forEach((key, n) => {
        const vector = vectors[n];
        if (vector) made.set(key, vector);
      });
      await cache.keep(made);
    }
    for (const [n, [id, text]] of batch.entries()) {
      const key = keys[n] ?? '';
      const vector = known.get(key) ?? made.get(key);
      // The entry might have changed or been removed in the meantime.
      if (this.#texts.get(id) !== text) continue;
      this.#texts.delete(id);
      if (vector) await use(id, vector);
    }
  }

  /** Stops retrying. */
  stop(): void {
    this.#cancelRetry?.();
    this.#texts.clear();
  }
}
