import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localUrl } from './codeReport.ts';

const NOTHING = { manifest: '', next: '' };
const route = (path: string, framework: 'express' | 'next-app' = 'express') => ({
  framework,
  path,
});

describe('the URL that is suggested for a first payment', () => {
  it('has the port of the code', () => {
    for (const text of [
      'app.listen(8085);',
      'const port = 8085;',
      'serve({ fetch: app.fetch, port: 8085 });',
      "const PORT = process.env.PORT ?? '8085';",
      'const port = Number(process.env.PORT || 8085);',
      'app.listen({ port: 8085, host })',
      'const db = new Pool({ host, port: 5432 });\nserve({ fetch: app.fetch, port: 8085 });',
      'const mail = connect({ port: 2525 });\nexport default { port: 8085, fetch: app.fetch };',
      "Bun.serve({ hostname: '0.0.0.0', port: process.env.PORT ?? 8085 });",
      'Deno.serve({ port: 8085 }, app.fetch);',
    ]) {
      assert.equal(localUrl(route('/x'), text, NOTHING), 'http://localhost:8085/x', text);
    }
    for (const text of [
      'const x = 1;',
      'new Pool({ port: 5432 });',
      'const settings = { port: 6379 };',
    ]) {
      assert.equal(localUrl(route('/x'), text, NOTHING), 'http://localhost:3000/x', text);
    }
  });

  it('has the port of the script, and the base path of Next.js', () => {
    const manifest = '{ "scripts": { "dev": "next dev -p 3333" } }';
    const next = "export default { basePath: '/shop' };";
    assert.equal(
      localUrl(route('/api/[city]', 'next-app'), '', { manifest, next }),
      'http://localhost:3333/shop/api/example',
    );
  });

  it('has an example for each parameter', () => {
    for (const [path, url] of [
      ['/weather/:city', '/weather/example'],
      ['/files/*', '/files/example'],
      ['/a/:b?', '/a/example'],
      ['/orders/:id(\\d+)', '/orders/1'],
      ['/orders/:id(\\d+)/items/:item([a-z]+)', '/orders/1/items/example'],
      ['/orders/:id{[0-9]+}', '/orders/1'],
      // Patterns of strangers are not run: this one would not end.
      ['/:id((.?){99}!)', '/example'],
      ['/years/:year([0-9]{4})', '/years/2026'],
      ['/pictures/:name{.+\\.png}', '/pictures/example'],
      ['/a{/:b}', '/a/example'],
      ['/:language(en|de|fr)/home', '/en/home'],
      ['/:id([0-9]+|new)', '/example'],
      ['/at/:hour(^\\d{2})h:minute(^\\d{2})m', '/at/10h10m'],
    ] as const) {
      assert.equal(localUrl(route(path), '', NOTHING), `http://localhost:3000${url}`);
    }
    const page = route('/files/[...path]', 'next-app');
    assert.equal(localUrl(page, '', NOTHING), 'http://localhost:3000/files/example');
  });
});
