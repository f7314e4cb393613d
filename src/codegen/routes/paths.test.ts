import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPath } from './nextPath.ts';
import { isRefusal, keyCovers, readPath } from './pathPattern.ts';

describe('a path is read as the payment middleware reads it, where that is the same', () => {
  const read = [
    ['express', '/report', '/report', 'same'],
    ['express', '/quote/', '/quote', 'same'],
    ['express', '//double//slash', '/double/slash', 'part'],
    ['express', '/weather/:city', '/weather/:city', 'part'],
    ['express', '/files/*path', '/files/*', 'part'],
    ['express', '/:from-:to', '/:from-:to', 'part'],
    ['express', '/price$', '/price$', 'part'],
    ['fastify', '/a/*', '/a/*', 'part'],
    ['fastify', '/report', '/report', 'part'],
    ['fastify', '', '/', 'part'],
    ['hono', '/report', '/report', 'part'],
  ] as const;
  for (const [framework, path, expected, reading] of read) {
    it(`${framework} ${path || '(empty)'}: ${reading}`, () => {
      const found = readPath(path, framework);
      assert.ok(!isRefusal(found));
      assert.deepEqual([found.path, found.reading], [expected, reading]);
    });
  }

  for (const path of [
    '/:id?',
    '/x(.*)',
    '/:id(\\d+)',
    '/{opt}',
    '/a b',
    '/caf%C3%A9',
    '/ü',
    '/[x]',
    '/:1',
  ]) {
    it(`express ${path} is left to the router`, () => {
      const found = readPath(path, 'express');
      assert.deepEqual(isRefusal(found) ? found : [found.path, found.reading], [path, 'router']);
    });
  }

  it('no request reaches a path that does not begin with a slash', () => {
    assert.ok(isRefusal(readPath('x', 'express')));
  });
});

describe('a key of a routes map covers a route as in the middleware', () => {
  it('by method, parameters, wildcards, and without regard to case', () => {
    assert.ok(keyCovers('GET /weather/:city', 'GET', '/weather/:town'));
    assert.ok(keyCovers('GET /WEATHER/*', 'GET', '/weather/:town'));
    assert.ok(keyCovers('/weather/[id]', 'POST', '/weather/:id'));
    assert.ok(keyCovers('*', 'GET', '/x'));
    assert.ok(!keyCovers('POST /x', 'GET', '/x'));
    assert.ok(!keyCovers('GET /a.c', 'GET', '/abc'));
    assert.ok(!keyCovers('GET /:a', 'GET', '/x/y'));
    assert.ok(keyCovers('GET /:a-*', 'GET', '/x-y/z'));
    assert.ok(!keyCovers('GET /x/:a', 'GET', '/x/'));
    assert.ok(!keyCovers('GET /x', 'GET', '/x/y'));
  });

  it('[finding: W5] a key of many wildcards is compared in steps of its length', () => {
    const path = `/${'a'.repeat(3_000)}`;
    assert.ok(!keyCovers(`GET /${'*a'.repeat(40)}*b`, 'GET', path));
    assert.ok(!keyCovers(`GET /${':a'.repeat(40)}/b`, 'GET', path));
    assert.ok(keyCovers(`GET /${'*a'.repeat(40)}*`, 'GET', path));
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
    // Next.js: a group is what is in parentheses from its first letter to its last.
    ['app/(a)(b)/c/route.ts', '/c'],
    ['app/(.)photo/route.ts', '/(.)photo'],
    ['app/photo(2)/route.ts', '/photo(2)'],
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

  it('does not exist for files that Next.js does not serve', () => {
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
