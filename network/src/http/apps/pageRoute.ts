import { type Context, Hono } from 'hono';
import { PAGE_POLICY, pageWith } from '../../page/page.ts';

/**
 * The page for people: at `/` for clients that prefer HTML to JSON, and at the addresses that links use.
 * @param facilitatorUrl the address at which settlements can be looked up, once known
 */
export function pageRoute(facilitatorUrl: (() => string | undefined) | undefined): Hono {
  const app = new Hono();
  const page = (context: Context): Response =>
    context.body(pageWith(facilitatorUrl?.()), 200, HEADERS);
  app.get('/', async (context, next) => {
    context.header('Vary', 'Accept');
    return wantsPage(context) ? page(context) : await next();
  });
  for (const path of ['/tx/:hash', '/ledger/:sequence', '/account/:id', '/contract/:id']) {
    app.get(path, page);
  }
  return app;
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PAGE_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
} as const;

/** Browsers accept text/html explicitly; programs that read Horizon do not. */
function wantsPage({ req }: Context): boolean {
  const accept = (req.header('accept') ?? '').toLowerCase();
  return accept.split(',').some((range) => range.split(';')[0]?.trim() === 'text/html');
}
