import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { added, removed, removeRefused } from '../../../../test/codegen/payments.ts';

const ROUTE = "app.post('/a'";
const app = (more = '') =>
  `import express from 'express';\n${more}\nconst app = express();\n\napp.post('/a', h);\n`;

describe('inserted code takes no name that the file uses', () => {
  it('a free name is used unchanged', () => {
    const text = added(app(), ROUTE);
    assert.match(text, /const PAYMENT_CONFIG = /);
    assert.match(text, /const paymentServer = new x402ResourceServer\(facilitatorClient\)/);
  });

  it('a taken name gets the prefix x402, in its letter case', () => {
    const text = app('const paymentServer = 1;\nconst PAYMENT_CONFIG = 2;');
    const changed = added(text, ROUTE);
    assert.match(changed, /const X402_PAYMENT_CONFIG = /);
    assert.match(changed, /payTo: X402_PAYMENT_CONFIG\.payToAddress/);
    assert.match(changed, /const x402PaymentServer = new x402ResourceServer/);
    assert.equal(removed(changed, ROUTE), text);
  });

  it('a name in a string is free', () => {
    const text = app("log('paymentServer', 'paymentMiddleware');");
    assert.match(added(text, ROUTE), /const paymentServer = new x402ResourceServer/);
    assert.match(added(text, ROUTE), /^import \{ paymentMiddleware, x402ResourceServer \}/m);
  });

  it('and a number at its end if that is taken too', () => {
    const text = app('const paymentServer = 1;\nfunction x402PaymentServer(x402PaymentServer2) {}');
    const changed = added(text, ROUTE);
    assert.match(changed, /const x402PaymentServer3 = new x402ResourceServer/);
    assert.equal(removed(changed, ROUTE), text);
  });

  it('so too for what is imported', () => {
    const text = app('const paymentMiddleware = 1;');
    const changed = added(text, ROUTE);
    assert.match(
      changed,
      / {2}paymentMiddleware as x402PaymentMiddleware,\n {2}x402ResourceServer,\n/,
    );
    assert.match(changed, /app\.use\(\n {2}x402PaymentMiddleware\(/);
    assert.equal(removed(changed, ROUTE), text);
  });
});

describe('a handler of Next.js gets its name and its export back', () => {
  const path = 'app/x/route.ts';
  const body = '() {\n  return Response.json({});\n}\n';
  for (const text of [
    `export async function POST${body}`,
    'export const POST = async () => Response.json({});\n',
    'export const POST = wrap(h);\n',
    "export { POST } from './h';\n",
    "export { h as POST } from './h';\n",
    `async function h${body}export { h as POST };\n`,
    `async function h${body}  export { h as POST };\n`,
    `const { a } = load();\nfunction h() {}\nimport './b';\nexport async function POST${body}`,
    "import { load as read } from './load';\nexport { POST } from './h';\n",
    "import {} from './load';\nexport { POST } from './h';\n",
    `const POST_impl = 1;\nconst POST_impl2 = 2;\nexport async function POST${body}`,
  ]) {
    it(text, () => {
      const paid = added(text, 'POST', { path });
      assert.equal(removed(paid, 'svc-x402', path).trim(), text.trim());
    });
  }

  it('an import that has other names besides does not become an export', () => {
    const paid = added("export { POST } from './h';\n", 'POST', { path });
    const more = paid.replace('{ POST as POST_impl }', '{ POST as POST_impl, load }');
    assert.notEqual(more, paid);
    assert.equal(removeRefused(more, 'svc-x402', path), 'not_gated');
  });
});
