import type { Clock } from '../../clock.ts';
import { Remembered } from '../ranking/remembered.ts';
import type { EmbeddingProvider } from './embeddingProvider.ts';

const REMEMBERED = 512;

/** Computes embeddings of queries within a time budget. */
export class QueryVectors {
  readonly #provider: EmbeddingProvider;
  readonly #clock: Clock;
  readonly #budgetMs: number;
  readonly #known = new Remembered<Float32Array>(REMEMBERED);
  readonly #underWay = new Map<string, Promise<Float32Array | null>>();

  constructor(provider: EmbeddingProvider, clock: Clock, budgetMs: number) {
    this.#provider = provider;
    this.#clock = clock;
    this.#budgetMs = budgetMs;
  }

  /**
   * Returns the query's embedding, or null if it cannot be computed or takes longer than the budget: the search
   * then continues without it. A late one is kept for the next time.
   */
  async of(query: string): Promise<Float32Array | null> {
    const known = this.#known.get(query);
    if (known) return known;
    let making = this.#underWay.get(query);
    if (!making) {
      making = this.#make(query);
      this.#underWay.set(query, making);
    }
    if (this.#provider.local) return making;
    return new Promise((resolve) => {
      const cancel = this.#clock.after(this.#budgetMs, () => resolve(null));
      making.then((vector) => {
        cancel();
        resolve(vector);
      });
    });
  }

  async #make(query: string): Promise<Float32Array | null> {
    try {
      const [vector] = await this.#provider.embed([query], 'query');
      if (vector) this.#known.set(query, vector);
      return vector ?? null;
    } catch {
      // The provider reports the reason; the query continues without an embedding.
      return null;
    } finally {
      this.#underWay.delete(query);
    }
  }
}
