import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../findRoutes.ts';
import { applyEdits } from '../source/edit.ts';
import { addPayment } from './addPayment.ts';
import { removePayment } from './removePayment.ts';

const path = 'app/x/route.ts';

function adding(text: string, method: string): ReturnType<typeof addPayment> {
  return addPayment({
    path,
    text,
    offset: place(text, method),
    price: '0.01',
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
    facilitatorUrl: 'http://127.0.0.1:4021',
    nextVersion: '16.2.6',
  });
}

function sold(text: string, method: string): string {
  const result = adding(text, method);
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

function given(text: string, method: string): string {
  const result = removePayment({ path, text, offset: place(text, method) });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

function refusal(text: string, method: string): string | undefined {
  const result = adding(text, method);
  return result.ok ? undefined : result.refusal.code;
}

function place(text: string, method: string): number {
  const route = findRoutes({ path, text }).find((each) => each.method === method);
  assert.ok(route, `${method} is not found`);
  return route.range.start;
}

/** What a file has before its block, without the imports of ours. */
function exports(text: string): string {
  return (text.split('// svc-x402: payments')[0] ?? '')
    .replaceAll(/^import [^;]*'(@x402|next)\/[^;]*;\r?\n/gm, '')
    .trim();
}

describe('an export of several methods is a comment while one of them is paid', () => {
  const text = 'export { a as GET, b as POST, c as PUT };\n';
  const noted = '// svc-x402: paid below: export { a as GET, b as POST, c as PUT };';

  it('unpaid methods have their own export below it', () => {
    const one = sold(text, 'POST');
    assert.equal(exports(one), `${noted}\nexport { a as GET, c as PUT };`);
    const two = sold(one, 'PUT');
    assert.equal(exports(two), `${noted}\nexport { a as GET };`);
    assert.equal(exports(sold(two, 'GET')), noted);
  });

  it('a method that becomes free again returns to its place', () => {
    const all = ['GET', 'POST', 'PUT'].reduce(sold, text);
    const put = given(all, 'PUT');
    assert.equal(exports(put), `${noted}\nexport { c as PUT };`);
    const get = given(put, 'GET');
    assert.equal(exports(get), `${noted}\nexport { a as GET, c as PUT };`);
    assert.equal(given(get, 'POST'), text);
  });

  for (const [name, file] of [
    ['of one method', 'export { a as GET };\n'],
    ['with spaces of its own', 'export {a as GET,b as POST , }\n'],
    ['from another file', "export { GET, POST, b as PUT } from './handlers';\n"],
    ['of an object', 'export const { GET, POST } = handlers;\n'],
    ['of an object, with a type and renamed', 'export const { get: GET, POST }: Handlers = all;\n'],
    ['with names that are not methods', 'export { helper, type Some, a as GET, b as POST };\n'],
    ['on lines of its own', 'export {\n  a as GET,\n\n  // free\n  b as POST,\n};\nconst z = 1;\n'],
    ['on lines that end as Windows ends them', 'export {\r\n  a as GET,\r\n  b as POST,\r\n};\r\n'],
    ['with spaces in an empty line', 'export {\n  a as GET,\n   \n \n  b as POST\n}\n'],
    ['further in', '  export { a as GET,\n    b as POST };\n'],
    ['behind a byte order mark', '\uFEFFexport { a as GET, b as POST };\n'],
    ['with a comment behind it', 'export { a as GET, b as POST }; // both\n'],
    ['that ends the file', 'const a = 1;\nexport { a as GET, b as POST };'],
    ['below another one', 'export { a as GET };\nexport { b as POST };\n'],
    ['above another one', 'export { b as POST, c as PUT };\nexport { a as GET };\n'],
  ] as const) {
    it(`${name}: what it was comes back, in any order`, () => {
      const methods = findRoutes({ path, text: file }).map(({ method }) => method);
      for (const first of [methods, [...methods].reverse()]) {
        const paid = first.reduce(sold, file);
        for (const order of [methods, [...methods].reverse()]) {
          assert.equal(order.reduce(given, paid), file);
        }
      }
    });
  }

  it('what was written into the free export meanwhile stays', () => {
    const changed = sold(text, 'POST').replace(
      '\nexport { a as GET,',
      '\nexport { a as GET, d as DELETE,',
    );
    assert.equal(exports(sold(changed, 'PUT')), `${noted}\nexport { a as GET, d as DELETE };`);
    assert.match(
      given(changed, 'POST'),
      /^export \{ a as GET, b as POST, c as PUT, d as DELETE \};$/m,
    );
  });

  it('a free export that is wider than a line has a line for each name', () => {
    const wide = (letter: string) => letter.repeat(30);
    const long = `export {\n  a as GET,\n  ${wide('b')} as POST,\n  ${wide('c')} as PUT,\n};\n`;
    const one = sold(long, 'GET');
    const rest = `export {\n  ${wide('b')} as POST,\n  ${wide('c')} as PUT,\n};`;
    assert.ok(exports(one).endsWith(rest), one);
    assert.ok(exports(sold(one, 'PUT')).endsWith(`export { ${wide('b')} as POST };`));
  });

  it('an export that shares its line is refused, since the rest of the line would be a comment too', () => {
    for (const shared of [
      'export { a as GET }; start();',
      'start(); export { a as GET, b as POST };',
    ]) {
      assert.equal(refusal(shared, 'GET'), 'layout_not_supported', shared);
    }
  });
});
