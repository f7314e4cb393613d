import type { Context } from 'hono';
import { Links } from './links.ts';

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
