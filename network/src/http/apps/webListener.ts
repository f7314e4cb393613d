import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

export type AnswerWeb = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @param apps the last one also answers requests that no app handles */
export function webListener(apps: readonly Hono[]): AnswerWeb {
  // Horizon ignores a slash at the end of a path.
  const all = new Hono({ strict: false });
  for (const app of apps) all.route('/', app);
  const serve = getRequestListener((request) => all.fetch(request), {
    overrideGlobalObjects: false,
  });
  return async (request, response) => {
    await serve(request, response);
  };
}
