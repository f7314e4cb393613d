import type { Context } from 'hono';

/** A request, with its parameters read from its URL. */
export class HorizonRequest {
  readonly url: URL;
  readonly links: Links;
  /** Where an interrupted stream continues; empty if there was none. */
  readonly lastEventId: string;
  readonly #parameters: Readonly<Record<string, string>>;

  constructor(context: Context) {
    this.url = new URL(context.req.url);
    const scheme = context.req.header('x-forwarded-proto');
    if (scheme === 'http' || scheme === 'https') this.url.protocol = scheme;
    this.links = new Links(this.url.origin);
    this.lastEventId = context.req.header('last-event-id') ?? '';
    this.#parameters = context.req.param();
  }

  /** A part of the path. */
  part(name: string): string {
    return this.#parameters[name] ?? '';
  }

  /** A query parameter, or the empty string. */
  text(name: string): string {
    return this.url.searchParams.get(name) ?? '';
  }

  /** A parameter that is `true` or `false`; missing means `false`, and undefined means invalid. */
  flag(name: string): boolean | undefined {
    switch (this.text(name).toLowerCase()) {
      case 'true':
      case '1':
      case 't':
        return true;
      case '':
      case 'false':
      case '0':
      case 'f':
        return false;
      default:
        return undefined;
    }
  }
}

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
