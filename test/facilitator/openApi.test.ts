import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ERROR_TABLE } from '../../src/protocol/index.ts';
import { type AppParts, createApp } from '../../src/server/http/createApp.ts';
import { startFacilitator } from '../../src/server/index.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalStack, startLocalStack } from '../support/localStack.ts';
import { assertOpenApi31 } from '../support/openApi31.ts';
import { paymentRequest } from '../support/payment.ts';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<
    string,
    { readonly headers?: object; readonly content?: Record<string, { readonly schema: object }> }
  >;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

/** Every `reason` that a schema allows, wherever in it. */
function reasonsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { reason } =
    (value as { properties?: { reason?: { enum?: string[]; const?: string } } }).properties ?? {};
  const here = [...(reason?.enum ?? []), ...(reason?.const === undefined ? [] : [reason.const])];
  return [...here, ...Object.values(value).flatMap(reasonsIn)];
}

describe('GET /openapi.json', () => {
  let stack: LocalStack;
  let document: Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validators = new Map<object, ValidateFunction>();

  before(async () => {
    stack = await startLocalStack();
    const response = await fetch(`${stack.facilitator.url}/openapi.json`);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    document = (await response.json()) as Document;
  });
  after(() => stack.close());

  it('is a valid OpenAPI 3.1 document', () => {
    assert.ok(assertOpenApi31(document) > 20);
  });

  it('has every route that is served, under its method', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // Only the routes are read: their handlers are not called.
    const trustedProxies: readonly string[] = [];
    const app = createApp({ metrics: {}, logger: {}, trustedProxies } as AppParts);
    const served = app.routes
      .filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    assert.deepEqual(described.sort(), served.sort());
  });

  it('has every code of the failure table', () => {
    const described = new Set(reasonsIn(document));
    const missing = Object.keys(ERROR_TABLE).filter((code) => !described.has(code));
    assert.deepEqual(missing, []);
  });

  /** Asks the service and checks its answer against the document. */
  async function conforms(
    base: string,
    method: string,
    path: string,
    body?: object | string,
  ): Promise<number> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const response = await fetch(base + path, {
      method,
      ...(text && { headers: { 'content-type': 'application/json' }, body: text }),
    });
    const operation = Object.values(document.paths[path] ?? {})[0];
    const described = operation?.responses[response.status];
    assert.ok(described, `${method} ${path} answered ${response.status}, which is not described`);
    const [[type, { schema }] = assert.fail()] = Object.entries(described.content ?? {});
    assert.ok((response.headers.get('content-type') ?? '').startsWith(type));
    const answer: unknown = type === 'text/plain' ? await response.text() : await response.json();
    let validate = validators.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(schema);
      validators.set(schema, validate);
    }
    assert.ok(validate(answer), `${JSON.stringify(answer)}: ${JSON.stringify(validate.errors)}`);
    return response.status;
  }

  describe('describes the real answers:', () => {
    it('of the routes without a payment', async () => {
      const { url } = stack.facilitator;
      for (const path of ['/supported', '/health', '/metrics', '/openapi.json']) {
        assert.equal(await conforms(url, 'GET', path), 200);
        assert.equal(await conforms(url, 'DELETE', path), 405);
      }
    });

    it('to valid and invalid payments', async () => {
      const { url } = stack.facilitator;
      const [payer, seller] = [await openPayer(stack), await openSeller(stack)];
      const good = await freshPayment(stack, payer, seller);
      const bare = await freshPayment(stack, payer, await openAccount(stack));
      const requests: [object | string, number][] = [
        [good, 200],
        [good, 200],
        [bare, 200],
        [paymentRequest({ x402Version: 1 }), 200],
        [{}, 400],
        ['{', 400],
        ['x'.repeat(40_000), 413],
      ];
      for (const [request, status] of requests) {
        for (const path of ['/verify', '/settle']) {
          assert.equal(await conforms(url, 'POST', path, request), status);
        }
      }
      assert.equal(await conforms(url, 'GET', '/settle'), 405);
    });

    it('to requests beyond the limit, and to payments that the sponsor cannot carry', async () => {
      const options = { ...facilitatorOptions(stack), sponsorFloorStroops: 10n ** 17n };
      const poor = await startFacilitator({ ...options, rateLimitPerMinute: 1 });
      try {
        const [payer, seller] = [await openPayer(stack), await openSeller(stack)];
        const good = await freshPayment(stack, payer, seller);
        assert.equal(await conforms(poor.url, 'POST', '/settle', good), 503);
        for (const [method, path] of [
          ['POST', '/settle'],
          ['POST', '/verify'],
          ['GET', '/supported'],
        ] as const) {
          assert.equal(await conforms(poor.url, method, path), 429);
        }
      } finally {
        await poor.close();
      }
    });
  });

  it('accepts the same requests as the service', async () => {
    const schema = document.paths['/settle']?.['post']?.requestBody?.content['application/json'];
    const validate = ajv.compile(schema?.schema ?? assert.fail());
    assert.ok(validate(JSON.parse(JSON.stringify(paymentRequest()))));
    assert.ok(!validate({}));
  });
});
