import type { MoneyMoved } from '../../../src/protocol/index.ts';

/** A place in the product or its pages that says something about money. */
export interface Statement {
  /** Path from the project's root. */
  readonly file: string;
  /**
   * The declaration in code, as in `MONEY.no` or `Call.#failed`; the key of a manifest; empty in a page. It survives edits
   * elsewhere in the file, as a line number would not.
   */
  readonly at: string;
  /** The words, with `…` for what is inserted; or the value, as in `moneyMoved: 'no'`. */
  readonly text: string;
  /** The values, if the statement is one for programs. */
  readonly values: readonly MoneyMoved[];
}

/** Returns how failures of the comparison name a statement. */
export function nameOf({ file, at, text }: Statement): string {
  return `${file}${at === '' ? '' : `#${at}`}: ${text}`;
}
