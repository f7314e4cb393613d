import { type Context, Hono, type Next } from 'hono';
import { PAGE, PAGE_POLICY } from '../page/index.ts';

/** The page for people: at `/` for whoever prefers HTML to JSON, and where things can be linked to. */
export function pageRoute(): Hono {
  const app = new Hono();
  app.get('/', async (context, next) => {
    context.header('Vary', 'Accept');
    return wantsPage(context) ? page(context) : await next();
  });
  for (const path of ['/tx/:hash', '/ledger/:sequence', '/account/:id', '/contract/:id']) {
    app.get(path, page);
  }
  return app;
}

function page(context: Context, _next?: Next): Response {
  return context.body(PAGE, 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
  });
}

/** Browsers name text/html; programs that read Horizon do not. */
function wantsPage({ req }: Context): boolean {
  const accept = (req.header('accept') ?? '').toLowerCase();
  return accept.split(',').some((range) => range.split(';')[0]?.trim() === 'text/html');
}
