import type { Hono } from 'hono';
import { z } from 'zod';
import { isLoopbackHost } from '../../../machine/index.ts';
import { PAYMENT_PROTOCOLS } from '../../../protocol/index.ts';
import type { SupportedResponse } from '../../../protocol/wire/index.ts';
import type { Answer } from '../answers.ts';
import { type Environment, send } from '../send.ts';
import { manifestOf } from './manifest.ts';

/** The size of one page of the catalog. */
const MAX_LISTED = 100;

const page = z.object({
  items: z.array(
    z.looseObject({
      resource: z.string(),
      type: z.string().optional(),
      method: z.string().optional(),
      description: z.string().optional(),
      trust: z.looseObject({ protocols: z.array(z.enum(PAYMENT_PROTOCOLS)).optional() }).optional(),
    }),
  ),
});

export interface WellKnownParts {
  supported(): SupportedResponse;
  /** Reads a route of the catalog in this process. */
  ask(url: URL): Promise<Answer>;
  /** Whether the tools for agents are served at `/mcp`. */
  readonly hasMcp: boolean;
}

/** Serves `/.well-known/x402` (RFC 8615) to every reader. */
export function mountWellKnown(
  app: Hono<Environment>,
  { supported, ask, hasMcp }: WellKnownParts,
): void {
  app.get('/.well-known/x402', async (c) => {
    const base = baseOf(new URL(c.req.url));
    const query = new URLSearchParams({
      type: 'http',
      urlSubstring: base.hostname,
      limit: `${MAX_LISTED}`,
    });
    const answer = await ask(new URL(`/discovery/resources?${query}`, base));
    if (answer.status !== 200) return send(c, answer);
    const { items } = page.parse(answer.body);
    const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' };
    return send(c, { status: 200, body: manifestOf(base, supported(), items, hasMcp), headers });
  });
}

/** Returns the origin of the request's URL. A service that is reached from elsewhere is behind a proxy with HTTPS. */
function baseOf({ host }: URL): URL {
  return new URL(`${isLoopbackHost(host) ? 'http' : 'https'}://${host}`);
}
