import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../../src/codegen/index.ts';
import { added, removed } from './payments.ts';

const path = 'app/api/price/route.ts';

describe('exports of Next.js whose names are texts', () => {
  const H = 'const h = async () => Response.json({ a: 1 });\n';
  for (const [name, text, method] of [
    ['one', `${H}export { h as "GET" };\n`, 'GET'],
    ['one in single quotes', `${H}export { h as 'GET' };\n`, 'GET'],
    ['one of two', `${H}export { h as "GET", h as "POST" };\n`, 'POST'],
    ['from another file', "export { h as 'GET' } from './h';\n", 'GET'],
    ['from another file, unchanged', "export { 'GET' } from './h';\n", 'GET'],
    ['of a name that is a text', "export { 'read it' as GET } from './h';\n", 'GET'],
    [
      'of a name that is a text, among others',
      "export { 'read it' as GET, x as POST } from './h';\n",
      'GET',
    ],
  ] as const) {
    it(`${name}: sold, and restored`, () => {
      const routes = findRoutes({ path, text });
      assert.ok(
        routes.some((route) => route.method === method && !route.refusal),
        text,
      );
      const offset = routes.find((route) => route.method === method)?.range.start ?? 0;
      const paid = added(text, text.slice(offset), { path });
      const sold = findRoutes({ path, text: paid }).filter(({ gated }) => gated === 'marker');
      assert.deepEqual(
        sold.map((route) => route.method),
        [method],
        paid,
      );
      assert.equal(removed(paid, `const ${method} =`, path), text);
    });
  }
});
