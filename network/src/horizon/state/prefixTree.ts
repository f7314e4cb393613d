import { SortedTree } from '../../state/index.ts';
import type { Order } from '../http/paging.ts';

/** Sorts after every text with the same prefix. */
const END = '\uffff';

/** A sorted map from texts to values, in which the texts with one prefix can be walked from any of them. */
export class PrefixTree<V> {
  readonly #tree = new SortedTree<string, V>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0));

  get size(): number {
    return this.#tree.size;
  }

  set(place: string, value: V): void {
    this.#tree.set(place, value);
  }

  delete(place: string): void {
    this.#tree.delete(place);
  }

  get(place: string): V | undefined {
    return this.#tree.get(place);
  }

  /**
   * The values of the texts that begin with `prefix`, in order.
   * @param behind the rest of the text after which the walk begins; undefined: at the first one
   */
  *walk(prefix: string, order: Order = 'asc', behind?: string): Generator<V> {
    let place = behind === undefined ? this.#end(prefix, order) : prefix + behind;
    const next = (at: string): [string, V] | undefined =>
      order === 'asc' ? this.#tree.nextHigherPair(at) : this.#tree.nextLowerPair(at);
    if (behind === undefined && order === 'asc') {
      const first = this.#tree.get(prefix);
      if (first !== undefined) yield first;
    }
    for (let pair = next(place); pair?.[0].startsWith(prefix); pair = next(place)) {
      yield pair[1];
      place = pair[0];
    }
  }

  #end(prefix: string, order: Order): string {
    return order === 'asc' ? prefix : prefix + END;
  }
}
