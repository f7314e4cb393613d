import type { Hono } from 'hono';
import type { Environment } from '../send.ts';
import { PAGE, PAGE_POLICY } from './page.ts';

/** Serves the catalog to people, at `/catalog`. */
export function mountCatalogPage(app: Hono<Environment>): void {
  app.get(
    '/catalog',
    (c) =>
      new Response(PAGE, {
        headers: {
          ...c.get('headers'),
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': PAGE_POLICY,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        },
      }),
  );
}
