import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { added, removed, removeRefused } from '../../../test/codegen/payments.ts';
import { removePayment } from './removePayment.ts';

const APP = `import express from 'express';

const app = express();

app.get('/a', (req, res) => res.json({ a: 1 }));

app.get('/b', (req, res) => res.json({ b: 1 }));
`;
const ROUTERS = `import express from 'express';

const one = express.Router();
const two = express.Router();

one.post('/a', (req, res) => res.json({ a: 1 }));

two.post('/b', (req, res) => res.json({ b: 1 }));
`;
const A = "app.get('/a', (req, res)";
const B = "app.get('/b', (req, res)";
const COMMENT = /\/\/ HEAD asks/g;

describe('the cursor in a payment decides whose payment is removed', () => {
  const both = added(added(APP, A), B);

  it('that of the key that it is in', () => {
    assert.equal(removed(both, "'GET /b'"), added(APP, A));
    assert.doesNotMatch(removed(both, "description: 'GET /a'"), /'GET \/a'/);
    assert.match(removed(both, "description: 'GET /a'"), /'GET \/b'/);
  });

  it('and outside of the keys that of the first route', () => {
    for (const place of ['// svc-x402: payments', 'PAYMENT_CONFIG', '// svc-x402: end']) {
      const left = removed(both, place);
      assert.doesNotMatch(left, /'GET \/a'/, place);
      assert.match(left, /'GET \/b'/, place);
    }
  });

  it('up to the last character of the mark, and no further', () => {
    const text = `${both}\napp.put('/c', h);\n`.replace(/\n\n(app\.get\('\/a', \(req)/, '\n$1');
    assert.doesNotMatch(removed(text, "\napp.get('/a', (req"), /'GET \/a'/);
  });

  it('that of its own router', () => {
    const routers = added(added(ROUTERS, 'one.post'), 'two.post');
    const left = removed(routers, "'POST /b'");
    assert.match(left, /'POST \/a'/);
    assert.doesNotMatch(left, /'POST \/b'/);
    assert.equal(left, added(ROUTERS, 'one.post'));
    const [, second = ''] = routers.split('svc-x402: end of payments\n\none');
    for (const place of [second.slice(second.indexOf('// svc-x402: payments')), '\n\ntwo.post(']) {
      assert.doesNotMatch(removed(routers, place), /'POST \/b'/);
    }
  });

  it('that of its own router too where another has the same path', () => {
    const alike = ROUTERS.replace("'/b'", "'/a'");
    const routers = added(added(alike, 'one.post'), 'two.post');
    const left = removed(routers, routers.slice(routers.lastIndexOf("'POST /a'")));
    assert.equal(left, added(alike, 'one.post'));
  });

  it('of the first route, not of the first key', () => {
    const left = removed(added(added(APP, B), A), 'PAYMENT_CONFIG');
    assert.doesNotMatch(left, /'GET \/a'/);
    assert.match(left, /'GET \/b'/);
  });

  it('outside of blocks and routes the only payment there is', () => {
    assert.equal(removed(added(APP, A), 'import express'), APP);
    const path = 'app/x/route.ts';
    const text =
      'const a = 1;\nexport async function POST() {\n  return Response.json({ a });\n}\n';
    assert.equal(removed(added(text, 'POST', { path }), 'const a', path), text);
  });

  it('that of its own key where another key is a name that is not known', () => {
    const text = both.replace("'GET /a': {", "[key()]: {},\n      'GET /a': {");
    assert.doesNotMatch(removed(text, "'GET /b'"), /'GET \/b'/);
    assert.equal(removeRefused(text, '[key()]'), 'not_gated');
  });

  it('none where the key is of another file’s route', () => {
    const text = both.replace("'GET /a': {", "'GET /other': {},\n      'GET /a': {");
    assert.equal(removeRefused(text, "'GET /other'"), 'not_gated');
  });
});

describe('a payment that is not the last leaves what the others need', () => {
  it('its answer to HEAD goes, and the reason stays while another has one', () => {
    const both = added(added(APP, A), B);
    assert.equal(removed(both, B), added(APP, A));
    const left = removed(both, A);
    assert.equal(left.match(COMMENT)?.length, 1);
    assert.match(left, /app\.head\('\/b'/);
    assert.doesNotMatch(left, /app\.head\('\/a'/);
    assert.equal(removed(left, B), APP);
    const post = added(added(APP.replace("app.get('/b", "app.post('/b"), A), "app.post('/b'");
    assert.doesNotMatch(removed(post, A), COMMENT);
  });

  it('and the cursor goes where the first of it was', () => {
    const text = added(APP, A);
    const result = removePayment({ path: 'src/app.ts', text, offset: text.indexOf(A) });
    assert.ok(result.ok);
    assert.equal(result.cursor, text.indexOf('import { HTTPFacilitatorClient }'));
    assert.deepEqual(result.notes, []);
  });

  it('the settings stay for a gate that uses them, whatever other blocks there are', () => {
    const both = added(added(ROUTERS, 'one.post'), 'two.post');
    const left = removed(both, 'one.post');
    assert.match(left, /new x402ResourceServer/);
    assert.match(left, /two\.use\(/);
    assert.doesNotMatch(left, /one\.use\(/);
    assert.equal(left.match(/svc-x402: payments/g)?.length, 2);
    assert.equal(removed(left, 'two.post'), ROUTERS);
  });

  it('settings whose last gate goes are not kept for a block without one', () => {
    const text = `${added(APP, A)}\n// svc-x402: payments\n// svc-x402: end of payments\n`;
    assert.doesNotMatch(removed(text, A), /PAYMENT_CONFIG/);
  });

  it('a gate of Next.js keeps its settings', () => {
    const path = 'app/x/route.ts';
    const text = `export async function POST(request: Request) {
  return Response.json({});
}

export async function PUT(request: Request) {
  return Response.json({});
}
`;
    const both = added(added(text, 'POST', { path }), 'function PUT', { path });
    const left = removed(both, 'POST_impl(request: ', path);
    assert.match(left, /PAYMENT_CONFIG/);
    assert.match(left, /export const PUT = /);
    assert.doesNotMatch(left, /POST_|\n\n\n/);
    assert.match(left, /^export async function POST\(/m);
    assert.equal(removed(left, 'PUT_impl(request: ', path), text);
  });

  it('of several exports one goes, with the empty line above it if there is one', () => {
    const path = 'app/x/route.ts';
    for (const eol of ['\n', '\r\n']) {
      const text =
        'export const POST = async () => Response.json({});\nexport const PUT = async () => Response.json({});\n'.replaceAll(
          '\n',
          eol,
        );
      const post = added(text, 'POST', { path });
      const both = added(post, 'const PUT', { path });
      assert.equal(removed(both, 'export const PUT', path), post);
      const close = both.replace(
        `${eol}${eol}export const PUT = withX402`,
        `${eol}export const PUT = withX402`,
      );
      assert.notEqual(close, both);
      assert.equal(removed(close, 'export const PUT', path), post);
    }
  });
});

describe('where a payment is not found as it was written, nothing is removed', () => {
  const path = 'app/x/route.ts';
  const text = 'export async function POST() {\n  return Response.json({});\n}\n';

  it('a handler that was given another name', () => {
    const renamed = added(text, 'POST', { path }).replaceAll('POST_impl', 'answer');
    assert.equal(removeRefused(renamed, 'withX402(', path), 'not_gated');
    const result = removePayment({ path, text: renamed, offset: renamed.indexOf('withX402(') });
    assert.ok(!result.ok);
    assert.equal(result.refusal.message, 'The payment of POST /x was not added here.');
  });

  it('a wrapped export that the marks do not hold', () => {
    const moved = added(text, 'POST', { path }).replace(
      /(export const POST = [\s\S]*?\n\);\n)(\/\/ svc-x402: end of payments)/,
      '$2\n$1',
    );
    assert.equal(removeRefused(moved, 'export const POST', path), 'not_gated');
  });
});

describe('the empty line that came with a block goes with it', () => {
  it('and no other line', () => {
    const text = added(APP, A).replace(
      '// svc-x402: end of payments\n\n',
      '// svc-x402: end of payments\nshow();\n\n',
    );
    assert.equal(removed(text, A), APP.replace(A, `show();\n\n${A}`));
  });

  it('in Next.js the one before it', () => {
    const path = 'app/x/route.ts';
    const text = 'export async function POST() {\n  return Response.json({});\n}\n';
    assert.equal(removed(added(text, 'POST', { path }), 'POST_impl(', path), text);
    const close = added(text, 'POST', { path }).replace('\n\n// svc', '\n// svc');
    assert.equal(removed(close, 'POST_impl(', path).trimEnd(), text.trimEnd());
    const apart = added(text, 'POST', { path }).replace('\n\n// svc', '\n\n\n\n// svc');
    assert.equal(removed(apart, 'POST_impl(', path).trimEnd(), text.trimEnd());
  });
});
