import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPath } from './nextPath.ts';
import { isRefusal, keyCovers, payablePath } from './pathPattern.ts';

describe('a path is charged for only where the middleware reads it as the framework does', () => {
  const kept = [
    ['express', '/weather/:city', '/weather/:city'],
    ['express', '/quote/', '/quote'],
    ['express', '//double//slash', '/double/slash'],
    ['express', '/files/*path', '/files/*'],
    ['express', '/:from-:to', '/:from-:to'],
    ['fastify', '/a/*', '/a/*'],
    ['fastify', '', '/'],
  ] as const;
  for (const [framework, path, expected] of kept) {
    it(`${framework} ${path || '(empty)'}`, () => {
      const payable = payablePath(path, framework);
      assert.ok(!isRefusal(payable));
      assert.equal(payable.path, expected);
    });
  }

  for (const path of [
    '/:id?',
    '/x(.*)',
    '/:id(\\d+)',
    '/{opt}',
    'x',
    '/a b',
    '/caf%C3%A9',
    '/ü',
    '/[x]',
    '/:1',
  ]) {
    it(`express ${path} is refused`, () => {
      assert.ok(isRefusal(payablePath(path, 'express')));
    });
  }
});

describe('a key of a routes map covers a route as in the middleware', () => {
  it('by method, parameters, wildcards, and without regard to case', () => {
    assert.ok(keyCovers('GET /weather/:city', 'GET', '/weather/:town'));
    assert.ok(keyCovers('GET /WEATHER/*', 'GET', '/weather/:town'));
    assert.ok(keyCovers('/weather/[id]', 'POST', '/weather/:id'));
    assert.ok(keyCovers('*', 'GET', '/x'));
    assert.ok(!keyCovers('POST /x', 'GET', '/x'));
    assert.ok(!keyCovers('GET /x', 'GET', '/x/y'));
  });
});

describe('the path of a Next.js file', () => {
  const paths = [
    ['app/api/weather/[city]/route.ts', '/api/weather/[city]'],
    ['/home/me/shop/src/app/(pay)/files/[...path]/route.js', '/files/[...path]'],
    ['C:\\shop\\app\\x\\route.ts', '/x'],
    ['app/route.ts', '/'],
    ['app/a/route.mjs', '/a'],
    ['app/@slot/a/route.ts', '/a'],
    ['app/%5Fa/route.ts', '/_a'],
    ['/app/shop/src/app/a/route.ts', '/a'],
    ['/app/shop/src/pages/api/a.ts', '/api/a'],
    ['pages/api/users/index.ts', '/api/users'],
    ['src/pages/api/hello.ts', '/api/hello'],
    ['pages/api/data.js.ts', '/api/data.js'],
  ] as const;
  for (const [file, path] of paths) {
    it(file, () => assert.equal(nextPath(file)?.path, path));
  }

  it('its parameters are the segments in brackets', () => {
    const params = (file: string) => {
      const found = nextPath(file);
      return found?.kind === 'app' ? found.params : undefined;
    };
    assert.deepEqual(params('app/[a]/b/[...c]/route.ts'), ['a', 'c']);
    assert.deepEqual(params('app/[[...a]]/route.ts'), ['a']);
    assert.deepEqual(params('app/a]/(b)/route.ts'), []);
    assert.deepEqual(params('app/a[b]/[c]d/route.ts'), []);
  });

  it('is none for what Next.js does not serve', () => {
    for (const file of [
      'app/_private/route.ts',
      'src/route.ts',
      'app/page.tsx',
      'pages/index.tsx',
      'api/users.ts',
      'app/a/my-route.ts',
      'app/a/route.tsx.old',
      'pages/api/data.tsv',
    ]) {
      assert.equal(nextPath(file), undefined, file);
    }
  });
});
