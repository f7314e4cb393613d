import type { ts } from 'ts-morph';

/**
 * What was read from the nodes of a tree, so that each is read once however often the code refers to it: constants that refer to
 * each other twice take exponential time otherwise. A node that refers to itself reads as nothing.
 */
export class Readings<T> {
  /** How many readings wait for another one. */
  #nested = 0;
  readonly #known = new WeakMap<ts.Node, Map<number, T | undefined>>();

  /** @param depth nesting of this use, if the reading depends on it */
  of(node: ts.Node, read: () => T | undefined, depth = 0): T | undefined {
    const known = this.#known.get(node) ?? new Map<number, T | undefined>();
    if (known.has(depth)) return known.get(depth);
    if (this.#nested > MAX_NESTED) return undefined;
    this.#known.set(node, known);
    known.set(depth, undefined);
    this.#nested += 1;
    try {
      const found = read();
      known.set(depth, found);
      return found;
    } finally {
      this.#nested -= 1;
    }
  }
}

/** Maximum length of a chain of names, far below what the stack holds. */
const MAX_NESTED = 200;

/** Maximum length of a text that is computed from the code: far above the longest path or price. */
export const MAX_TEXT = 4_096;

/** Maximum number of members, items and characters, in hundreds, of a value that is written into a file. */
const MAX_SIZE = 2_000;

const sizes = new WeakMap<object, number>();

/** Returns a value, or nothing if it is too large to be an example or a schema. Shared parts are counted wherever they are. */
export function ofModerateSize<T>(value: T | undefined): T | undefined {
  return sizeOf(value) > MAX_SIZE ? undefined : value;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (typeof value !== 'object' || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1);
  sizes.set(value, size);
  return size;
}
