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
    ]) {
      assert.equal(localUrl(route('/x'), text, NOTHING), 'http://localhost:8085/x', text);
    }
    assert.equal(localUrl(route('/x'), 'const x = 1;', NOTHING), 'http://localhost:3000/x');
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
      ['/files/[...path]', '/files/example'],
    ] as const) {
      assert.equal(localUrl(route(path), '', NOTHING), `http://localhost:3000${url}`);
    }
  });
});
