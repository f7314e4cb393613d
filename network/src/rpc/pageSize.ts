import { LIMITS } from './limits.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { XdrFormat } from './xdrFormat.ts';

/** The cost of JSON relative to base64, which is copied from the ledgers' bytes. */
const WORK_OF_JSON = 8;

/** Counts the XDR bytes of a page against its budget. */
export class PageSize {
  readonly #spend: RpcNetwork['spend'];
  readonly #work: number;
  #left: number;

  constructor(format: XdrFormat, spend: RpcNetwork['spend']) {
    this.#spend = spend;
    this.#work = format === 'json' ? WORK_OF_JSON : 1;
    this.#left = LIMITS.pageBytes[format];
  }

  add(bytes: number): void {
    this.#left -= bytes;
    this.#spend('bytes', bytes * this.#work);
  }

  /** Whether the page has to end. */
  get full(): boolean {
    return this.#left <= 0;
  }
}
