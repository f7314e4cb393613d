/**
 * Keeps the recently used keys: at least the last `limit`, at most twice as many. A key that is used again stays.
 */
export class RecentMap<K, V extends object> {
  readonly #limit: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= this.#limit && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  delete(key: K): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}
