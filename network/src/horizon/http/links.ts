/** A link of HAL. */
export interface Link {
  readonly href: string;
  readonly templated?: true;
}

const PAGING = '{?cursor,limit,order}';

/** Writes absolute links, based on the address to which the request was sent. */
export class Links {
  readonly #base: string;

  /** @param base `http://127.0.0.1:8000` */
  constructor(base: string) {
    this.#base = base;
  }

  to(path: string): Link {
    return linkOf(this.#base + path);
  }

  /** Links to a resource's history, below its own path. */
  history(
    path: string,
  ): Readonly<Record<'transactions' | 'operations' | 'payments' | 'effects', Link>> {
    return {
      transactions: this.paged(`${path}/transactions`),
      operations: this.paged(`${path}/operations`),
      payments: this.paged(`${path}/payments`),
      effects: this.paged(`${path}/effects`),
    };
  }

  /** Like `to`, with the paging parameters left open. */
  paged(path: string): Link {
    return this.to(path + PAGING);
  }
}

/** A link, marked as templated if it has parameters to fill in (RFC 6570). */
export function linkOf(href: string): Link {
  return href.includes('{') ? { href, templated: true } : { href };
}
