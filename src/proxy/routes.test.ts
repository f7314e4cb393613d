import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTarget, type TargetProblem } from '../seller/index.ts';
import { type Access, findRoute, type Route, readPattern } from './routes.ts';

function route(text: string, sold: boolean, allow: readonly TargetProblem[] = []): Route<string> {
  const [method = '', path = ''] = text.split(' ');
  const pattern = readPattern(path);
  assert.ok(pattern, text);
  return { method, pattern, text, sold, allow, about: text };
}

const ROUTES = [
  route('GET /weather/{city}', true),
  route('GET /report', true),
  route('POST /orders/{id}', false),
  route('DELETE /orders/{id}', true),
  route('GET /files/*', true, ['encoded-slash']),
  route('GET /{page}', false),
  route('GET /static/*', false),
];

function find(method: string, target: string, contentType?: string): Access<string> {
  return findRoute(ROUTES, { method, target: readTarget(target), contentType });
}

function kind(access: Access<string>): string {
  if (access.kind === 'route') return access.route.text;
  return access.kind === 'ambiguous' ? `refused: ${access.why}` : access.kind;
}

describe('The target of a request', () => {
  for (const [text, path] of [
    ['/', '/'],
    ['/weather/Lima', '/weather/Lima'],
    ['/weather/Lima/', '/weather/Lima/'],
    ['/weather/S%c3%a3o%20Paulo', '/weather/S%C3%A3o%20Paulo'],
    ['/%77eather/Lima', '/weather/Lima'],
    ['/weather/Sa%cc%83o', '/weather/S%C3%A3o'],
    ['http://other.example/weather/Lima', '/weather/Lima'],
    ['https://other.example', '/'],
  ] as const) {
    it(`${text} is forwarded as ${path}`, () => {
      const target = readTarget(text);
      assert.deepEqual([target.path, target.problems], [path, []]);
    });
  }

  it('keeps its query unchanged', () => {
    assert.equal(readTarget('/a?x=%2F..;//&y=%00').query, '?x=%2F..;//&y=%00');
  });

  for (const [text, problem] of [
    ['/weather%2fLima', 'encoded-slash'],
    ['//weather/Lima', 'empty-segment'],
    ['/weather//Lima', 'empty-segment'],
    ['/weather/Lima//', 'empty-segment'],
    ['/weather;v=1/Lima', 'semicolon'],
    ['/weather%3bv=1/Lima', 'semicolon'],
    ['/weather\\Lima', 'backslash'],
    ['/weather%5CLima', 'backslash'],
    ['/./weather', 'dot-segment'],
    ['/free/../weather', 'dot-segment'],
    ['/free/%2e%2E/weather', 'dot-segment'],
    ['/free/.%2e/weather', 'dot-segment'],
    ['/weather/Lima%0a', 'control-character'],
    ['/weather/Lima%00', 'control-character'],
    ['/weather/Lima%7f', 'control-character'],
    ['/weather/L\u00efma', 'control-character'],
    ['/weather/%zz', 'bad-encoding'],
    ['/weather/%', 'bad-encoding'],
    ['/weather/%ff', 'bad-encoding'],
    ['/weather/%c0%af', 'bad-encoding'],
    ['/weather/%e2%80%a8', 'hidden-character'],
    ['/weather/%e2%80%8b', 'hidden-character'],
    ['/%2577eather/Lima', 'double-encoding'],
    ['/weather%3fx=1', 'encoded-delimiter'],
    ['/weather%23x', 'encoded-delimiter'],
    ['/weather/%ef%bc%8fLima', 'encoded-delimiter'],
    ['/weather/Lima.', 'trailing-dot'],
    ['/weather/Lima%20', 'trailing-dot'],
    ['/weather/:city', 'template'],
    ['/weather/%7bcity%7d', 'template'],
    ['/weather#x', 'not-a-path'],
    ['*', 'not-a-path'],
    ['weather', 'not-a-path'],
  ] as const) {
    it(`${text} is refused: ${problem}`, () => {
      assert.ok(readTarget(text).problems.includes(problem));
      assert.notEqual(kind(find('GET', text)), 'GET /weather/{city}');
      assert.match(kind(find('GET', text)), /^refused/);
    });
  }
});

describe('The route of a request', () => {
  for (const [method, target, expected] of [
    ['GET', '/weather/Lima', 'GET /weather/{city}'],
    ['GET', '/weather/Lima/', 'GET /weather/{city}'],
    ['GET', '/weather/Lima?x=1', 'GET /weather/{city}'],
    ['GET', '/files/a/b', 'GET /files/*'],
    ['GET', '/files/a%2Fb', 'GET /files/*'],
    ['GET', '/about', 'GET /{page}'],
    ['GET', '/report', 'GET /report'],
    ['GET', '/static/app.js', 'GET /static/*'],
    ['DELETE', '/orders/7', 'DELETE /orders/{id}'],
    ['GET', '/nothing/here/at/all', 'otherwise'],
  ] as const) {
    it(`${method} ${target} is ${expected}`, () => {
      assert.equal(kind(find(method, target)), expected);
    });
  }

  for (const target of [
    '/Weather/Lima',
    '/WEATHER/lima/',
    '/Report',
    '/report.json',
    '/REPORT.xml',
    '/index.php/report',
    '/index.php/weather/Lima',
    '/app/index.php/weather/Lima',
    '/weather.php/Lima',
  ]) {
    it(`${target} is refused, since a lenient router could serve a sold path`, () => {
      assert.match(kind(find('GET', target)), /^refused: nearly/);
    });
  }

  it('is never a free one for another method of a sold path', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND']) {
      assert.equal(kind(find(method, '/weather/Lima')), 'method');
    }
    assert.equal(kind(find('HEAD', '/weather/Lima')), 'head');
    assert.equal(kind(find('OPTIONS', '/weather/Lima')), 'options');
  });

  it('is refused for a form that could turn into a sold method', () => {
    assert.equal(kind(find('POST', '/orders/7', 'application/json')), 'POST /orders/{id}');
    for (const [target, type] of [
      ['/orders/7?_method=DELETE', 'application/json'],
      ['/orders/7?a=1&_method=delete', undefined],
      ['/orders/7', 'application/x-www-form-urlencoded'],
      ['/orders/7', 'multipart/form-data; boundary=x'],
    ] as const) {
      assert.equal(kind(find('POST', target, type)), 'refused: method-override');
    }
  });

  it('has parameters', () => {
    const access = find('GET', '/weather/Lima');
    assert.deepEqual(access.kind === 'route' && access.params, { city: 'Lima' });
  });
});

describe('The path of a route', () => {
  it('is fixed text, parameters, and the rest at its end', () => {
    for (const path of ['/a/{b}', '/a/:b', '/a/[b]', '/a/*', '/a/**', '/', '/é']) {
      assert.ok(readPattern(path), path);
    }
    for (const path of ['a', '/a/*/b', '/a/{b', '/a/b*', '/a/%zz']) {
      assert.equal(readPattern(path), undefined, path);
    }
  });
});
