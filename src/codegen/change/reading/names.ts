import { ts } from 'ts-morph';
import { walk } from '../../source/syntax.ts';

/** Names that a file does not use yet. */
export class Names {
  readonly #used = new Set<string>();

  constructor(file: ts.SourceFile) {
    walk(file, (node) => {
      if (ts.isIdentifier(node)) this.#used.add(node.text);
    });
  }

  /** The name itself, or prefixed with `x402` if the file uses it for something else. */
  fresh(name: string): string {
    const prefixed = /^[A-Z_]+$/.test(name)
      ? `X402_${name}`
      : `x402${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return this.numbered(this.#used.has(name) ? prefixed : name);
  }

  /** The name itself, or followed by the first number that makes it unused in the file. */
  numbered(name: string): string {
    let free = name;
    for (let number = 2; this.#used.has(free); number += 1) free = `${name}${number}`;
    this.#used.add(free);
    return free;
  }
}
