import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import type { FoundRoute } from './foundRoute.ts';
import { nextRoutes } from './nextRoutes.ts';

function routes(text: string, path = 'app/x/[id]/route.ts'): readonly FoundRoute[] {
  return nextRoutes(parseSource(path, text), new Bindings());
}

/** `GET function`, or `GET refused with layout_not_supported`, one for each route. */
function said(text: string): readonly string[] {
  return routes(text).map(({ method, exported, refusal }) =>
    refusal ? `${method} refused with ${refusal.code}` : `${method} ${exported?.form}`,
  );
}

describe('the exported methods of a route file are its routes', () => {
  it('the properties of one', () => {
    const text = 'const a = 1;\nexport async function GET() {}';
    const [route, ...others] = routes(text);
    assert.ok(route);
    assert.deepEqual(others, []);
    assert.equal(route.framework, 'next-app');
    assert.equal(route.path, '/x/[id]');
    assert.deepEqual(route.params, ['id']);
    assert.equal(route.confidence, 'certain');
    const whole = { start: text.indexOf('export'), end: text.length };
    assert.deepEqual(route.range, whole);
    assert.deepEqual(route.handler, whole);
    assert.equal(route.exported?.name.text, 'GET');
  });

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    it(method, () => {
      assert.deepEqual(said(`export function ${method}() {}`), [`${method} function`]);
      assert.deepEqual(said(`export const ${method} = () => {};`), [`${method} const`]);
      assert.deepEqual(said(`export { h as ${method} };`), [`${method} list`]);
      assert.deepEqual(said(`export { h as ${method} } from './h.js';`), [`${method} from`]);
    });
  }

  for (const method of ['HEAD', 'OPTIONS']) {
    it(`${method} has no answer that could be sold`, () => {
      assert.deepEqual(said(`export function ${method}() {}`), [
        `${method} refused with method_not_sellable`,
      ]);
    });
  }

  it('other names and unexported functions are not', () => {
    for (const text of [
      'function GET() {}',
      'const GET = () => {};',
      'export function get() {}',
      'export const revalidate = 60;',
      'export default function GET() {}',
      'export default function () {}',
      'export { h as helper };',
      "export export { GET } from './h.js';",
      'export type { GET };',
      'export { type GET };',
      "export * as all from './h.js';",
      'export const { helper } = make();',
      'export const [, GET2] = make();',
      'GET();',
    ]) {
      assert.deepEqual(said(text), [], text);
    }
  });

  it('none outside of a route file', () => {
    assert.deepEqual(routes('export function GET() {}', 'app/x/page.ts'), []);
  });
});

describe('the handler is the function behind the exported name', () => {
  const handler = (text: string) => routes(text)[0]?.handlerNode?.getText();

  it('through wrappers and lists', () => {
    assert.equal(handler('export const GET = wrap(() => 1);'), '() => 1');
    assert.equal(handler('const h = () => 1; export { h as GET };'), '() => 1');
    assert.equal(handler('function GET() {} export { GET };'), 'function GET() {}');
  });

  it('not in another file', () => {
    assert.equal(handler("const h = () => 1; export { h as GET } from './h.js';"), undefined);
    assert.equal(handler('export const GET = imported;'), undefined);
    assert.equal(handler('export let GET;'), undefined);
  });

  it('an export list names the local function', () => {
    assert.equal(routes('export { h as GET };')[0]?.exported?.name.text, 'h');
  });
});

describe('an export that cannot be wrapped by itself is refused', () => {
  const refused = 'refused with layout_not_supported';

  it('several by one statement', () => {
    assert.deepEqual(said('export const GET = a, POST = b;'), [
      `GET ${refused}`,
      `POST ${refused}`,
    ]);
    // A list that is written again would lose it.
    const commented = 'export { a /* mine */ as GET, helper };';
    assert.deepEqual(said(commented), [`GET ${refused}`]);
    assert.match(routes(commented)[0]?.refusal?.message ?? '', /Give it an export of its own/);
  });

  it('but not one of several in a list', () => {
    assert.deepEqual(said('export { GET, POST };'), ['GET list', 'POST list']);
    assert.deepEqual(said('export { a as GET, helper };'), ['GET list']);
    assert.deepEqual(said('export { a as GET , helper };'), ['GET list']);
    assert.deepEqual(said('export const { GET, a } = handlers;'), ['GET pattern']);
  });

  it('out of what another call returns', () => {
    assert.deepEqual(said('export const { GET, a: { b } } = make();'), [`GET ${refused}`]);
    assert.deepEqual(said('export const [, POST] = make();'), [`POST ${refused}`]);
  });

  it('overloaded functions, once', () => {
    const text = 'export function GET(a: A): B;\nexport function GET(a) {}';
    assert.deepEqual(said(text), [`GET ${refused}`]);
    assert.deepEqual(said(`${text}\nexport function POST() {}`), [
      `GET ${refused}`,
      'POST function',
    ]);
  });

  it('everything of another file', () => {
    assert.deepEqual(said("export * from './h.js';"), ['* refused with handler_elsewhere']);
    assert.match(routes("export * from './h.js';")[0]?.refusal?.message ?? '', /'\.\/h\.js'/);
  });
});

describe('pages rendered at build time cannot be paid for', () => {
  const GET = 'export function GET() {}';
  const refused = ['GET refused with static_rendering'];

  it('by force-static and error', () => {
    assert.deepEqual(said(`export const dynamic = 'force-static'; ${GET}`), refused);
    assert.deepEqual(said(`export const a = 1, dynamic = 'error'; ${GET}`), refused);
  });

  it('not by other values, other names, or without an export', () => {
    for (const line of [
      "export const dynamic = 'force-dynamic';",
      "export const rendering = 'force-static';",
      "const dynamic = 'force-static';",
      'export let dynamic;',
      'export const dynamic = mode;',
      "import 'x';",
    ]) {
      assert.deepEqual(said(`${line} ${GET}`), ['GET function'], line);
    }
  });

  it('for a method that cannot be sold, that is the first reason', () => {
    assert.deepEqual(said("export const dynamic = 'error'; export function HEAD() {}"), [
      'HEAD refused with method_not_sellable',
    ]);
  });
});

describe('a file of the Pages Router is one route, which is not changed', () => {
  const page = (text: string) => routes(text, 'pages/api/hello.ts');

  it('by its default export', () => {
    for (const text of [
      'export default function handler(req, res) {}',
      'const h = () => {}; export default h;',
      'module.exports = (req, res) => {};',
    ]) {
      const [route, ...others] = page(text);
      assert.ok(route, text);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [route.framework, route.method, route.path, route.refusal?.code],
        ['next-pages', '*', '/api/hello', 'pages_router'],
      );
      assert.equal(route.range.end, text.length);
    }
  });

  it('begins at its statement', () => {
    const text = "import x from 'x';\nexport default x;";
    assert.equal(page(text)[0]?.range.start, text.indexOf('export'));
  });

  it('none without one', () => {
    for (const text of [
      'export function handler() {}',
      'exports.x = 1;',
      'a(module.exports = 1)',
    ]) {
      assert.deepEqual(page(text), [], text);
    }
  });
});
