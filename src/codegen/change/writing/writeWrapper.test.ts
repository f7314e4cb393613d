import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../source/edit.ts';
import { addPayment } from '../addPayment.ts';
import { removePayment } from '../removePayment.ts';

function add(text: string, at = 'GET', path = 'app/x/route.ts') {
  return addPayment({
    path,
    text,
    offset: text.indexOf(at),
    price: '0.01',
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
    facilitatorUrl: 'http://127.0.0.1:4021',
    nextVersion: '16.2.6',
  });
}

/** The changed text in one line. */
function added(text: string, at?: string, path?: string): string {
  const result = add(text, at, path);
  assert.ok(result.ok, result.ok ? '' : `${text}: ${result.refusal.message}`);
  return applyEdits(text, result.edits).replaceAll(/\s+/g, ' ');
}

const code = (text: string, at?: string) => {
  const result = add(text, at);
  return result.ok ? undefined : result.refusal.code;
};

describe('withX402 is given a handler of the request that gives a NextResponse', () => {
  const handedOn = /withX402\( GET_impl,/;
  const request = 'request: Request';
  for (const handler of [
    `export async function GET(${request}) { return NextResponse.json({}); }`,
    `export async function GET(${request}) { return new NextResponse(); }`,
    `export async function GET(${request}) { return a ? NextResponse.json(1) : NextResponse.json(2); }`,
    `export async function GET(${request}): Promise<NextResponse> { return load(); }`,
    `export async function GET(${request}): Promise<NextResponse<Body>> { return load(); }`,
    `export const GET = async (${request}) => NextResponse.json({});`,
    `export async function GET(${request}) { f(() => { return 1; }); return NextResponse.json({}); }`,
  ]) {
    it(`unchanged: ${handler}`, () => assert.match(added(handler), handedOn));
  }
  for (const handler of [
    `export async function GET(${request}) { return Response.json({}); }`,
    `export async function GET(${request}) { return load(); }`,
    `export async function GET(${request}) { if (a) return load(); return NextResponse.json({}); }`,
    `export async function GET(${request}) { return a ? load() : NextResponse.json(2); }`,
    `export function GET(${request}) { return NextResponse.json({}); }`,
    `export async function GET(${request}): Promise<Response> { return NextResponse.json({}); }`,
    `export async function GET(${request}): Promise<NextResponse | Response> { return load(); }`,
  ]) {
    it(`with a new answer: ${handler}`, () =>
      assert.match(
        added(handler),
        /async \(request\) => \{ const response = await GET_impl\(request\); return new (x402)?NextResponse\(response\.body, response\); \}/,
      ));
  }

  for (const handler of [
    `export async function GET(${request}) {}`,
    `export async function GET(${request}) { if (a) return load(); }`,
    `export async function GET(${request}) { if (a) return; return load(); }`,
    `export async function GET(${request}) { try { return load(); } catch {} }`,
    `export async function GET(${request}) { switch (a) { case 1: return load(); } }`,
    `export async function GET(${request}): Promise<NextResponse | undefined> { return load(); }`,
    'export const GET = wrap(handler);',
  ]) {
    it(`with its own type where it might not fit: ${handler}`, () => {
      assert.match(
        added(handler),
        /async \(request\) => \{ type Handler = \(\.\.\.given: unknown\[\]\) => Promise<Response>; const handler = GET_impl as unknown as Handler; const response = await handler\(request\); return new (x402)?NextResponse\(response\.body, response\); \}/,
      );
      assert.doesNotMatch(added(handler, 'GET', 'app/x/route.js'), /unknown/);
    });
  }

  for (const handler of [
    `export async function GET(${request}) { if (a) { return load(); } else { throw b; } }`,
    `export async function GET(${request}) { try { return load(); } catch { return c(); } }`,
    `export async function GET(${request}) { try { d(); } finally { return c(); } }`,
    `export async function GET(${request}) { switch (a) { case 0: case 1: return load(); default: throw b; } }`,
    `export async function GET(${request}) { e(() => { return; }); return load(); }`,
  ]) {
    it(`and with its own where every path ends with an answer: ${handler}`, () =>
      assert.match(added(handler), /const response = await GET_impl\(request\);/));
  }

  it('a handler without parameters is called without any', () => {
    assert.match(
      added('export function GET() { return Response.json({}); }'),
      /async \(\) => \{ const response = await GET_impl\(\);/,
    );
  });

  it('answers of several types have the type unknown', () => {
    const two = `export async function GET(${request}) { if (a) return NextResponse.json(1); return NextResponse.json('2'); }`;
    assert.match(added(two), /withX402<unknown>\( GET_impl,/);
    assert.doesNotMatch(added(two, 'GET', 'app/x/route.js'), /<unknown>/);
    const one = `export async function GET(${request}) { return NextResponse.json(1); }`;
    assert.doesNotMatch(added(one), /<unknown>/);
  });
});

describe('a handler keeps its own name even if the wrapper has the same names', () => {
  for (const name of ['handler', 'request', 'response']) {
    it(`a list exports ${name}`, () => {
      const text = `async function ${name}(request: Request) { if (request) return load(); }\nexport { ${name} as GET, ${name} as POST };`;
      const changed = added(text, 'as GET');
      const taken = new RegExp(`const ${name} = |\\(${name}\\) =>`);
      assert.doesNotMatch(changed.slice(changed.indexOf('svc-x402: payments')), taken);
      assert.match(changed, new RegExp(`= ${name} as unknown as Handler;`));
    });
  }

  it('and context, where Next.js gives one', () => {
    const text = `async function context(request: Request, { params }) { return Response.json(await params); }\nexport { context as GET };`;
    const changed = added(text, 'as GET', 'app/[id]/route.ts');
    assert.doesNotMatch(changed, /const context = /);
    assert.match(changed, /await context\(request, x402Context\)/);
    assert.match(changed, /Parameters<typeof context>\[1\]/);
  });
});

describe('the context that Next.js gives waits for the handler', () => {
  const text = 'export async function GET(request, context) { return NextResponse.json({}); }';

  it('with types in TypeScript, and without them in JavaScript', () => {
    const typed = added(text);
    assert.match(
      typed,
      /const GET_contexts = new WeakMap<object, Parameters<typeof GET_impl>\[1\]>\(\);/,
    );
    assert.match(typed, /const GET_paid = withX402\(/);
    assert.match(
      typed,
      /const context = GET_contexts\.get\(request\) as Parameters<typeof GET_impl>\[1\];/,
    );
    assert.match(typed, /return GET_impl\(request, context\);/);
    assert.match(
      typed,
      /export const GET = \( request: Parameters<typeof GET_paid>\[0\], context: Parameters<typeof GET_impl>\[1\], \) => \{ GET_contexts\.set\(request, context\); return GET_paid\(request\); \};/,
    );
    const plain = added(text, 'GET', 'app/x/route.js');
    assert.match(plain, /const GET_contexts = new WeakMap\(\);/);
    assert.match(plain, /export const GET = \(request, context\) => \{/);
    assert.doesNotMatch(plain, /Parameters</);
  });

  it('for an unknown handler, if the path has parameters', () => {
    const wrapped = 'export const GET = wrap(handler);';
    assert.match(added(wrapped, 'GET', 'app/[id]/route.ts'), /GET_contexts/);
    assert.doesNotMatch(added(wrapped), /GET_contexts/);
  });
});

describe('HEAD is exported beside GET, unless the file has one', () => {
  const GET = 'export async function GET() { return Response.json({}); }\n';
  it('for GET alone', () => {
    assert.match(
      added(GET),
      /export const HEAD = \(\) => new Response\(null, \{ status: 200 \}\);/,
    );
    assert.doesNotMatch(added(GET.replace('GET', 'POST'), 'POST'), /HEAD/);
    for (const own of ['export function HEAD() {}', 'export { h as HEAD };']) {
      assert.equal(added(`${GET}${own}\n`).match(/HEAD/g)?.length, 1, own);
    }
  });
});

describe('an export is kept in its form', () => {
  it('a list keeps its handler under its own name', () => {
    const text = added('const read = async () => Response.json({});\nexport { read as GET };\n');
    assert.match(text, /\/\/ svc-x402: paid below: export \{ read as GET \};/);
    assert.match(text, /await read\(\)/);
  });

  it('one from another file is imported', () => {
    assert.match(
      added("export { GET } from './h.js';\n"),
      /import \{ GET as GET_impl \} from '\.\/h\.js';/,
    );
    assert.match(
      added("export { read as GET } from './h.js';\n"),
      /import \{ read as GET_impl \} from '\.\/h\.js';/,
    );
  });

  it('a taken name is not used again, and the right one is restored', () => {
    for (const text of [
      'const GET_impl = 1;\nexport async function GET() { return Response.json({}); }\n',
      'const GET_impl = 1;\nexport const GET = async () => Response.json({});\n',
      "const GET_impl = 1;\nexport { GET } from './h.js';\n",
    ]) {
      const result = add(text, 'export');
      assert.ok(result.ok);
      const changed = applyEdits(text, result.edits);
      assert.match(changed, /\bGET_impl2\b[\s\S]*(await GET_impl2\(|handler = GET_impl2 as)/);
      const path = 'app/x/route.ts';
      const back = removePayment({ path, text: changed, offset: changed.indexOf('svc-x402') });
      assert.ok(back.ok);
      assert.equal(applyEdits(changed, back.edits), text);
    }
  });

  it('what could not be restored is refused', () => {
    const body = '() { return Response.json({}); }';
    assert.equal(code(`export\nasync function GET${body}`), 'layout_not_supported');
    assert.equal(code('a(); export { h as GET };'), 'layout_not_supported');
  });

  it('a handler that is used elsewhere is refused', () => {
    const GET = 'export async function GET() { return Response.json({}); }\n';
    assert.equal(code(`${GET}log(GET);`), 'handler_used_elsewhere');
    for (const fine of ['a.GET;', 'f({ GET: 1 });', 'const a = 1;']) {
      assert.equal(code(`${GET}${fine}`), undefined, fine);
    }
  });
});
