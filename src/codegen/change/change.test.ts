import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../source/edit.ts';
import { addPayment } from './addPayment.ts';
import type { AddPaymentInput, Change } from './change.ts';
import { removePayment } from './removePayment.ts';

const TERMS = {
  price: '0.01',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  facilitatorUrl: 'http://127.0.0.1:4021',
  path: 'src/app.ts',
};

const APP = `import express from 'express';

const app = express();

app.get('/a', (req, res) => {
  res.json({ a: 1 });
});

app.post('/b', (req, res) => {
  res.json({ b: req.body.x });
});
`;

const NEXT = 'app/x/route.ts';
const ROUTES = `export async function GET(request: Request) {
  return Response.json({ a: 1 });
}

export async function POST(request: Request) {
  return Response.json({ b: 2 });
}
`;

function add(text: string, at: string, more: Partial<AddPaymentInput> = {}) {
  return addPayment({ ...TERMS, text, offset: text.indexOf(at), ...more });
}

function added(text: string, at: string, more?: Partial<AddPaymentInput>): string {
  const result = add(text, at, more);
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

function remove(text: string, at: string, path = TERMS.path) {
  return removePayment({ path, text, offset: text.indexOf(at) });
}

function removed(text: string, at: string, path?: string): string {
  const result = remove(text, at, path);
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

const code = (result: ReturnType<typeof add>) => (result.ok ? undefined : result.refusal.code);
const message = (result: ReturnType<typeof add>) => (result.ok ? '' : result.refusal.message);

describe('routes that cannot be charged for are refused, with the reason', () => {
  it('a file that is not a script', () =>
    assert.equal(code(add(APP, "'/a'", { path: 'app.py' })), 'unsupported_file'));

  it('a syntax error, with its line', () => {
    const broken = add(`${APP}\nconst = 3;\n`, "'/a'");
    assert.equal(code(broken), 'syntax_error');
    assert.match(message(broken), / line 13\./);
  });

  it('a file without routes', () => assert.equal(code(add('const a = 1;', 'a')), 'no_route'));

  it('a path that no request can have', () =>
    assert.equal(code(add(APP.replace("'/a'", "'a'"), "'a'")), 'path_not_supported'));

  it('invalid terms', () => {
    assert.equal(code(add(APP, "'/a'", { price: 'free' })), 'invalid_price');
    assert.equal(code(add(APP, "'/a'", { payTo: 'G' })), 'invalid_pay_to');
    assert.equal(code(add(APP, "'/a'", { facilitatorUrl: 'x' })), 'invalid_url');
  });

  it('a route that is already paid for, by us or by other code', () => {
    const again = add(added(APP, "'/a'"), "app.get('/a'");
    assert.equal(code(again), 'already_gated');
    assert.match(message(again), /^GET \/a already has a payment/);
    const head = "import { paymentMiddleware } from '@x402/express';\n";
    const own = `${head}${APP.replace("'/a',", "'/a', paymentMiddleware(routes),")}`;
    assert.equal(code(add(own, "'/a'")), 'already_gated');
    assert.match(message(add(own, "'/a'")), /^Code before GET \/a/);
  });

  it('an unnamed instance', () => {
    const text = "import express from 'express';\nexpress.Router().get('/a', (req, res) => {});\n";
    assert.equal(code(add(text, "'/a'")), 'no_instance_name');
  });

  it('a Fastify instance with the gate of an earlier version', () => {
    const text = `import Fastify from 'fastify';
const app = Fastify();
app.get('/a', async () => ({ a: 1 }));
app.register(async (inner) => {
  inner.get('/b', async () => ({ b: 1 }));
});
`;
    const older = (at: string, on: string) =>
      added(text, at).replace(/forRoute\((\w+), 'GET', '[^']*'\)/, on);
    assert.equal(code(add(older("'/a'", 'app'), "'/b'")), 'order_not_assured');
    assert.equal(code(add(older("'/b'", 'inner'), "app.get('/a'")), undefined);
    assert.equal(code(add(added(text, "'/a'"), "'/b'")), undefined);
  });

  it('a gate that runs after the route', () => {
    const text = `import express from 'express';
const app = express();
if (first) {
  app.get('/a', (req, res) => {});
}
app.get('/b', (req, res) => {});
`;
    assert.equal(code(add(added(text, "'/b'"), "'/a'")), 'order_not_assured');
  });
});

describe('a change returns where to continue', () => {
  const cursor = (text: string, at: string) => {
    const result = add(text, at);
    assert.ok(result.ok);
    return applyEdits(text, result.edits).slice(result.cursor);
  };

  it('the first thing that the user has to fill in', () => {
    assert.match(cursor(APP, "'/a'"), /^TODO: say what a buyer gets/);
  });

  it('or the code that was inserted', () => {
    const told = APP.replace("app.get('/a'", "/** Gives what a is. */\napp.get('/a'");
    assert.match(cursor(told, "'/a'"), /^\/\/ svc-x402: payments/);
  });

  it('the route in a change has no syntax tree nodes', () => {
    const result = add(APP, "'/a'") as Change;
    assert.equal(result.route.path, '/a');
    assert.ok(!('handlerNode' in result.route));
  });
});

describe('removing a payment restores the text', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['one route', APP, ["app.get('/a'"]],
    ['two, the first one first', APP, ["app.get('/a'", "app.post('/b'"]],
    ['two, the last one first', APP, ["app.post('/b'", "app.get('/a'"]],
  ];
  for (const [name, text, places] of cases) {
    it(name, () => {
      const both = places.reduce((at, place) => added(at, place), text);
      for (const order of [places, places.toReversed()]) {
        assert.equal(
          order.reduce((at, place) => removed(at, place), both),
          text,
        );
      }
    });
  }

  it('in Next.js as well', () => {
    const options = { path: NEXT, nextVersion: '16.2.6' };
    const both = added(added(ROUTES, 'GET', options), 'function POST', options);
    const once = removed(both, 'GET_impl(request', NEXT);
    assert.match(once, /POST_impl/);
    assert.doesNotMatch(once, /GET_impl|HEAD/);
    assert.equal(removed(once, 'POST_impl(request', NEXT), ROUTES);
  });

  it('in a text without imports', () => {
    const text =
      "const app = require('express')();\n\napp.get('/a', (req, res) => res.json({ a: 1 }));\n";
    assert.equal(removed(added(text, "'/a'"), "app.get('/a'"), text);
  });

  it('with Windows line endings', () => {
    const text = APP.replaceAll('\n', '\r\n');
    const once = added(text, "'/a'");
    assert.doesNotMatch(once, /[^\r]\n/);
    assert.equal(removed(once, "app.get('/a'"), text);
  });

  it('and names used elsewhere stay imported', () => {
    const once = `${added(APP, "'/a'")}log(new HTTPFacilitatorClient(), paymentMiddleware);\n`;
    const text = removed(once, "app.get('/a'");
    assert.match(text, /import \{ HTTPFacilitatorClient \} from '@x402\/core\/server';/);
    assert.match(text, /import \{ paymentMiddleware \} from '@x402\/express';/);
    assert.doesNotMatch(text, /x402ResourceServer|bazaar|ExactStellarScheme/);
  });

  it('a route keeps its payment while another loses its own', () => {
    const both = added(added(APP, "'/a'"), "app.post('/b'");
    const text = removed(both, "app.post('/b'");
    assert.match(text, /'GET \/a'/);
    assert.doesNotMatch(text, /'POST \/b'/);
    assert.match(text, /app\.head\('\/a'/);
    assert.equal(text, added(APP, "'/a'"));
    assert.doesNotMatch(removed(both, "app.get('/a'"), /app\.head/);
  });
});

describe('a payment is removed at the cursor', () => {
  it('within the block, that of the only gated route', () => {
    assert.equal(removed(added(APP, "'/a'"), 'PAYMENT_CONFIG'), APP);
    assert.equal(removed(added(APP, "'/a'"), "app.post('/b'"), APP);
  });

  it('not where no payment was added', () => {
    assert.equal(code(remove(APP, "'/a'")), 'not_gated');
    const both = added(added(APP, "'/a'"), "app.post('/b'");
    const third = `${both}\napp.put('/c', (req, res) => {});\n`;
    assert.equal(code(remove(third, "app.put('/c'")), 'not_gated');
  });

  it('not if there is other code between the marks', () => {
    const text = added(APP, "'/a'").replace('// svc-x402: end', 'log();\n// svc-x402: end');
    assert.equal(code(remove(text, "app.get('/a'")), 'block_edited');
    const line = text.slice(0, text.indexOf('log();')).split('\n').length;
    assert.match(message(remove(text, "app.get('/a'")), new RegExp(`^Line ${line} `));
  });
});

describe('a gate uses existing settings', () => {
  it('one map has all routes of an instance', () => {
    const both = added(added(APP, "'/a'"), "app.post('/b'");
    assert.equal(both.match(/paymentMiddleware\(/g)?.length, 1);
    assert.equal(both.match(/new x402ResourceServer/g)?.length, 1);
    assert.ok(both.indexOf("'GET /a'") < both.indexOf("'POST /b'"));
  });

  it('a gate below the route moves up in front of it', () => {
    const both = added(added(APP, "app.post('/b'"), "app.get('/a'");
    assert.equal(both.match(/paymentMiddleware\(/g)?.length, 1);
    assert.ok(both.indexOf('paymentMiddleware(\n') < both.indexOf("app.get('/a'"));
    assert.ok(both.indexOf("'GET /a'") > 0 && both.indexOf("'POST /b': {") > 0);
  });

  it('another account is added next to the first', () => {
    const other = 'GDQP2KPQGKIHYJGXNUIYOMHARUARCA7DJT5FO2FFOOKY3B2WSQHG4W37';
    const both = added(added(APP, "'/a'"), "app.post('/b'", { payTo: other });
    assert.match(both, new RegExp(`payTo: '${other}'`));
    assert.equal(both.match(/payTo: PAYMENT_CONFIG\.payToAddress/g)?.length, 1);
  });

  it('settings that were changed beyond recognition are not guessed', () => {
    const text = added(APP, "'/a'").replace(/const PAYMENT_CONFIG[\s\S]*?};\n/, '');
    assert.equal(code(add(text, "app.post('/b'")), 'block_edited');
  });

  it('each router has its gate, and they share the settings', () => {
    const text = `import express from 'express';
const one = express.Router();
const two = express.Router();
one.get('/a', (req, res) => {});
two.get('/b', (req, res) => {});
`;
    for (const places of [
      ["'/a'", "'/b'"],
      ["two.get('/b'", "one.get('/a'"],
    ] as const) {
      const both = places.reduce((at, place) => added(at, place), text);
      assert.equal(both.match(/paymentMiddleware\(/g)?.length, 2);
      assert.equal(both.match(/new x402ResourceServer/g)?.length, 1);
      assert.ok(both.indexOf('new x402ResourceServer') < both.indexOf('one.use('));
      assert.equal(removed(removed(both, "one.get('/a'"), "two.get('/b'"), text);
    }
  });
});

describe('HEAD is answered before the handler of GET would be', () => {
  it('for GET alone, unless the file answers it', () => {
    assert.match(added(APP, "'/a'"), /app\.head\('\/a'/);
    assert.doesNotMatch(added(APP, "'/b'"), /app\.head/);
    const own = APP.replace('app.get', "app.head('/a', (req, res) => {});\n\napp.get");
    assert.equal(added(own, "app.get('/a'").match(/\.head\(/g)?.length, 1);
    const other = APP.replace('app.get', "app.head('/z', (req, res) => {});\n\napp.get");
    assert.equal(added(other, "app.get('/a'").match(/\.head\(/g)?.length, 2);
  });
});
