import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from '../logger.ts';
import type { Answer } from './answers.ts';

/** What every request carries. */
export interface Environment {
  Bindings: HttpBindings;
  Variables: { log: Logger; headers: Readonly<Record<string, string>> };
}

/** A body given as text goes out as it is; `Response.json` would pass through a stream. */
export function send(c: Context<Environment>, { status, body, headers }: Answer): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...c.get('headers'), ...headers },
  });
}
