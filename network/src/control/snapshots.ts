import type { LedgerState } from '../state/index.ts';
import { imageOf, type StateImage } from './stateImage.ts';

/** Maximum number of snapshots; beyond it, the oldest is removed. */
const MOST = 256;

/** States to return to, kept in memory. */
export class Snapshots {
  readonly #images = new Map<string, StateImage>();
  #count = 0;

  /** @returns its id */
  take(state: LedgerState): string {
    this.#count += 1;
    const id = String(this.#count);
    this.#images.set(id, imageOf(state));
    const [oldest] = this.#images.keys();
    if (this.#images.size > MOST && oldest !== undefined) this.#images.delete(oldest);
    return id;
  }

  get(id: string): StateImage | undefined {
    return this.#images.get(id);
  }

  /** Deletes all snapshots. Their ids are not used again. */
  clear(): void {
    this.#images.clear();
  }

  /** Deletes the snapshots taken after this one. */
  dropAfter(id: string): void {
    for (const other of this.#images.keys())
      if (Number(other) > Number(id)) this.#images.delete(other);
  }
}
