import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildRequest } from './builtRequest.ts';
import { asCurl, asSdkCode } from './copyAs.ts';
import {
  exampleOf,
  formFor,
  pathParameters,
  type RequestForm,
  withRemembered,
} from './requestForm.ts';

const quote = formFor('POST', 'http://localhost:3000/quote/:symbol', {
  bodyType: 'json',
  input: { amount: 1, note: 'hi' },
  pathParamsSchema: { properties: { symbol: { type: 'string', default: 'XLM' } } },
});

/** The request of a form without problems. */
function built(form: RequestForm) {
  const result = buildRequest(form);
  assert.ok(result.ok, JSON.stringify(result));
  return result.request;
}

function fieldsWrong(form: Partial<RequestForm>): readonly string[] {
  const result = buildRequest({ ...quote, ...form });
  return result.ok ? [] : result.problems.map(({ field }) => field);
}

describe('E4: the gate’s declaration fills the request form', () => {
  it("a body is the gate's example, with its media type", () => {
    assert.deepEqual(JSON.parse(quote.body), { amount: 1, note: 'hi' });
    assert.deepEqual(quote.headers, [{ name: 'content-type', value: 'application/json' }]);
    assert.deepEqual(quote.pathParams, [{ name: 'symbol', value: 'XLM' }]);
    assert.deepEqual(built(quote), {
      method: 'POST',
      url: 'http://localhost:3000/quote/XLM',
      headers: { 'content-type': 'application/json' },
      body: quote.body,
      timeoutMs: 30_000,
    });
  });

  it('with a schema but no example, a value that the schema allows', () => {
    const { body } = formFor('POST', 'http://h/x', {
      bodyType: 'json',
      inputSchema: {
        properties: {
          n: { type: 'integer', minimum: 3 },
          kind: { enum: ['a', 'b'] },
          list: { type: 'array', items: { type: 'string' } },
          deep: { type: 'object', properties: { yes: { type: 'boolean' } } },
        },
      },
    });
    assert.deepEqual(JSON.parse(body), { n: 3, kind: 'a', list: [''], deep: { yes: true } });
  });

  it('the example of a GET is its query', () => {
    const form = formFor('GET', 'http://h/weather', { input: { city: 'Lima', days: 2 } });
    assert.equal(built(form).url, 'http://h/weather?city=Lima&days=2');
    assert.equal(built(form).body, undefined);
  });

  it('a query in the URL is kept, and a route for every method uses GET', () => {
    const form = formFor('*', 'http://h/weather?city=Quito', { input: { city: 'Lima' } });
    assert.equal(built(form).url, 'http://h/weather?city=Quito');
    assert.equal(form.method, 'GET');
  });

  it('parameters of all forms are found, and a port is not one', () => {
    const url = 'http://localhost:3000/a/:id/b/{name}/c/:slug(\\w+)/*';
    assert.deepEqual(pathParameters(url), ['id', 'name', 'slug', '*']);
    const form = formFor('GET', url, {
      pathParams: { id: 1, name: 'x y', slug: 's', '*': 'd/e f' },
    });
    assert.equal(built(form).url, 'http://localhost:3000/a/1/b/x%20y/c/s/d/e%20f');
  });

  it('a schema that refers to itself in examples ends', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema['properties'] = { inner: schema };
    assert.ok(exampleOf(schema));
  });
});

describe('E4: a problem of a request is shown at its field', () => {
  it('each field has its own message', () => {
    assert.deepEqual(fieldsWrong({ pathParams: [{ name: 'symbol', value: ' ' }] }), [
      'pathParams.0',
    ]);
    assert.deepEqual(fieldsWrong({ method: 'FETCH' }), ['method']);
    assert.deepEqual(fieldsWrong({ url: 'localhost', pathParams: [] }), ['url']);
    assert.deepEqual(fieldsWrong({ url: 'file:///etc/passwd', pathParams: [] }), ['url']);
    assert.deepEqual(fieldsWrong({ body: '{' }), ['body']);
    for (const timeLimit of ['0', '-1', 'soon', '86401']) {
      assert.deepEqual(fieldsWrong({ timeLimit }), ['timeLimit'], timeLimit);
    }
    for (const name of ['a b', 'payment-signature', 'Payment-Authorization', 'Host']) {
      assert.deepEqual(fieldsWrong({ headers: [{ name, value: 'x' }] }), ['headers.0'], name);
    }
    assert.deepEqual(fieldsWrong({ headers: [{ name: 'x', value: 'a\r\nb: c' }] }), ['headers.0']);
  });

  it('no text in a field sends the request elsewhere', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (value, name, query) => {
        const result = buildRequest({
          ...quote,
          pathParams: [{ name: 'symbol', value }],
          query: [{ name, value: query }],
        });
        if (result.ok) {
          const { origin } = new URL(result.request.url);
          assert.equal(origin, 'http://localhost:3000');
        }
      }),
    );
  });
});

describe('[finding: E7] a switch of the method', () => {
  it('keeps the body in the form, and leaves it out where the method has none', () => {
    for (const method of ['GET', 'HEAD']) {
      const { body, headers } = built({ ...quote, method });
      assert.deepEqual([body, headers], [undefined, {}], method);
    }
    assert.equal(built({ ...quote, method: 'DELETE' }).body, quote.body);
  });
});

describe('typed values are remembered per endpoint', () => {
  it('with the endpoint’s present parameters', () => {
    const typed = { ...quote, pathParams: [{ name: 'old', value: '1' }], body: '{"amount":7}' };
    const { pathParams, body } = withRemembered(quote, typed);
    assert.equal(body, '{"amount":7}');
    assert.deepEqual(pathParams, [{ name: 'symbol', value: 'XLM' }]);
    assert.equal(withRemembered(quote, undefined), quote);
  });
});

describe('a request is copied', () => {
  it('as curl, quoted for a shell', () => {
    const text = asCurl({ ...built(quote), body: `{"note":"it's $HOME"}` });
    assert.equal(
      text,
      `curl -i -X POST -H 'content-type: application/json' --data-raw '{"note":"it'\\''s $HOME"}' 'http://localhost:3000/quote/XLM'\n`,
    );
  });

  it('as SDK code that can spend only the price, in the asset of the terms', () => {
    const limit = { amount: 100_000n, asset: 'CASSET', rpcUrl: 'http://127.0.0.1:8000/rpc' };
    const text = asSdkCode(built(quote), limit);
    assert.match(text, /maxAmount: 100000n/);
    assert.match(text, /allowedAssets: \['CASSET'\]/);
    assert.match(text, /method: 'POST'/);
  });
});
