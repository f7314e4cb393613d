import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from '../logger.ts';
import type { Answer } from './answers.ts';

/** The context of every request. */
export interface Environment {
  Bindings: HttpBindings;
  Variables: {
    log: Logger;
    headers: Readonly<Record<string, string>>;
    /** Under which name the sponsor's spending for the request's client is counted. */
    client: string | undefined;
  };
}

/** Sends a text body directly; `Response.json` would pass it through a stream. */
export function send(c: Context<Environment>, { status, body, headers }: Answer): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...c.get('headers'), ...headers },
  });
}
