import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { added, addRefused, removed } from '../../../../test/codegen/payments.ts';

/** A file with a gate whose map somebody rewrote, and three routes. */
const gated = (map: string, more = '') => `import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';

const app = express();
${more}
// svc-x402: payments
const PAYMENT_CONFIG = { payToAddress: 'G' };
const facilitatorClient = new HTTPFacilitatorClient();
const paymentServer = new x402ResourceServer(facilitatorClient);

app.use(paymentMiddleware(${map}, paymentServer));
// svc-x402: end of payments

app.post('/a', h);
app.post('/b', h);
app.post('/c', h);
`;

/** The map of a gate, with the configuration of `POST /c` left out. */
const mapIn = (text: string) =>
  text
    .slice(text.indexOf('paymentMiddleware({') + 18, text.indexOf(', paymentServer));'))
    .replace(/(\n( *)'POST \/c': \{)\r?\n[\s\S]*?\n\2\}/, '$1…}');

const ROUTE = "app.post('/c'";
const withoutCommas = '\nconst one = {\n  a: 1\n};\nconst two = {\n  a: 1\n};\n';

describe('a key is added after the map’s last one, on its own lines', () => {
  for (const [name, map, after] of [
    [
      'with a comma where the last has one',
      "{\n  'POST /a': {},\n}",
      "{\n  'POST /a': {},\n  'POST /c': {…},\n}",
    ],
    [
      'without one where it has none',
      "{\n  'POST /a': {}\n}",
      "{\n  'POST /a': {},\n  'POST /c': {…}\n}",
    ],
    [
      'behind the comment of the last',
      "{\n  'POST /a': {}, // one, two\n}",
      "{\n  'POST /a': {}, // one, two\n  'POST /c': {…},\n}",
    ],
    [
      'behind that comment without a comma too',
      "{\n  'POST /a': {} // one, two\n}",
      "{\n  'POST /a': {}, // one, two\n  'POST /c': {…}\n}",
    ],
    [
      'behind a comment in front of the comma',
      "{\n  'POST /a': {} /* one, two */,\n}",
      "{\n  'POST /a': {} /* one, two */,\n  'POST /c': {…},\n}",
    ],
    [
      'a step further in where the map is on one line',
      "{ 'POST /a': {} }",
      "{ 'POST /a': {},\n  'POST /c': {…} }",
    ],
    ['so too with a comma', "{ 'POST /a': {}, }", "{ 'POST /a': {},\n  'POST /c': {…}, }"],
  ] as const) {
    it(name, () => {
      const text = gated(map);
      const more = added(text, ROUTE);
      assert.equal(mapIn(more), after);
      assert.equal(removed(more, ROUTE), text);
    });
  }

  it('of a map that has lost its keys', () => {
    for (const map of ['{}', '{\n}']) {
      assert.equal(mapIn(added(gated(map), ROUTE)), "{\n  'POST /c': {…},\n}");
      assert.equal(mapIn(added(gated(map, withoutCommas), ROUTE)), "{\n  'POST /c': {…}\n}");
    }
    assert.equal(
      mapIn(added(gated('{\n  // none yet\n}'), ROUTE)),
      "{\n  // none yet\n  'POST /c': {…},\n}",
    );
  });

  it('with the file’s line endings', () => {
    for (const map of ['{}', "{\r\n  'POST /a': {},\r\n}"]) {
      const text = gated(map).replaceAll(/\r?\n/g, '\r\n');
      assert.doesNotMatch(added(text, ROUTE), /[^\r]\n/);
    }
  });
});

describe('a map outside the marks', () => {
  const outside = (route: string) =>
    gated('routes', "\nconst routes = {\n  'POST /a': {},\n};\n").replace(
      '\n// svc',
      `${route}\n// svc`,
    );

  it('takes keys of routes below the gate', () => {
    const text = added(outside(''), ROUTE);
    assert.match(text, /'POST \/a': \{\},\n {2}'POST \/c': \{\n/);
    assert.equal(removed(text, ROUTE), outside(''));
  });

  it('does not move with the gate, so that a route above it is refused', () =>
    assert.equal(addRefused(outside("\napp.post('/d', h);\n"), "app.post('/d'"), 'block_edited'));
});

describe('a key is removed with its lines and its comma, and the other keys keep theirs', () => {
  for (const [map, at, after] of [
    ["{\n  'POST /a': {},\n  'POST /b': {},\n}", 'a', "{\n  'POST /b': {},\n}"],
    ["{\n  'POST /a': {},\n  'POST /b': {},\n}", 'b', "{\n  'POST /a': {},\n}"],
    ["{\n  'POST /a': {},\n  'POST /b': {}\n}", 'a', "{\n  'POST /b': {}\n}"],
    ["{\n  'POST /a': {},\n  'POST /b': {}\n}", 'b', "{\n  'POST /a': {}\n}"],
    ["{\n  'POST /a': {}, // one\n  'POST /b': {}\n}", 'b', "{\n  'POST /a': {} // one\n}"],
    [
      "{\n  'POST /a': {}, // one, two\n  'POST /b': {} // three\n}",
      'b',
      "{\n  'POST /a': {} // one, two\n}",
    ],
    ["{\n  'POST /a': {} // one, two\n  , 'POST /b': {}\n}", 'b', "{\n  'POST /a': {}\n}"],
    ["{\n  'POST /a': {} /* one, */,\n  'POST /b': {}\n}", 'b', "{\n  'POST /a': {} /* one, */\n}"],
    ["{\n  'POST /a': {}, // one\n  'POST /b': {},\n}", 'a', "{\n  'POST /b': {},\n}"],
    ["{\n  'POST /a': {} /* one, two */,\n  'POST /b': {},\n}", 'a', "{\n  'POST /b': {},\n}"],
    ["{ 'POST /a': {}, 'POST /b': {} }", 'a', "{ 'POST /b': {} }"],
    ["{ 'POST /a': {}, 'POST /b': {} }", 'b', "{ 'POST /a': {} }"],
    ["{ 'POST /a': {},   'POST /b': {} }", 'a', "{ 'POST /b': {} }"],
    ["{\n  'POST /a': {} // one, two\n  , 'POST /b': {}\n}", 'a', "{\n  'POST /b': {}\n}"],
    ["{ 'POST /a': {}, 'POST /b': {}, }", 'b', "{ 'POST /a': {}, }"],
    ["{\n  'POST /a': {}, 'POST /b': {},\n}", 'a', "{\n  'POST /b': {},\n}"],
    ["{\n  'POST /a': {}, 'POST /b': {},\n}", 'b', "{\n  'POST /a': {},\n}"],
    ["{ 'POST /a': {},\n  'POST /b': {} }", 'a', "{\n  'POST /b': {} }"],
    [
      "{\n  'POST /b': {},\n  'POST /a': {}, 'POST /c': {} }",
      'a',
      "{\n  'POST /b': {},\n  'POST /c': {} }",
    ],
  ] as const) {
    it(`${at} of ${JSON.stringify(map)}`, () =>
      assert.equal(removed(gated(map), `app.post('/${at}'`), gated(after)));
  }
});
