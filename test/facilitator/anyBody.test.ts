import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { settleResponseSchema, verifyResponseSchema } from '../../src/protocol/wire/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';

/** Every path into a JSON value. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  const below =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))
      : [];
  return [[...path], ...below];
}

/** A copy of `value` with `replacement` at `path`. */
function replaced(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, replacement) };
}

describe('Any body at all', () => {
  let stack: LocalStack;
  let template: unknown;

  before(async () => {
    stack = await startLocalStack();
    const [payer, seller] = [await openPayer(stack), await openSeller(stack)];
    template = await freshPayment(stack, payer, seller, { fee: 100 });
  });
  after(() => stack.close());

  async function post(path: string, body: string) {
    const response = await fetch(stack.facilitator.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  async function isRefused(text: string): Promise<void> {
    const verify = await post('/verify', text);
    assert.ok(verify.status < 500, `${verify.status} for ${text}`);
    const verdict = verifyResponseSchema.parse(verify.body);
    assert.equal(verdict.isValid, false);
    assert.ok(verdict.errorReason && verdict.invalidReason);
    const settle = await post('/settle', text);
    assert.ok(settle.status < 500, `${settle.status} for ${text}`);
    const outcome = settleResponseSchema.parse(settle.body);
    assert.equal(outcome.success, false);
    assert.equal(outcome.transaction, '');
    assert.ok(outcome.errorReason);
  }

  it('that is JSON is refused in the form that the client parses, and never with a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), (text) => isRefused(text)),
      { numRuns: 100 },
    );
  });

  it('that is a payment with arbitrary values anywhere is refused in the same way', async () => {
    const paths = pathsOf(template);
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(
        undefined,
        '',
        '-1',
        '1e400',
        9e99,
        [],
        {},
        null,
        '\u0000',
        'A'.repeat(5_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), anything, async (path, value) => {
        await isRefused(JSON.stringify(replaced(template, path, value)) ?? '');
      }),
      { numRuns: 200 },
    );
  });

  it('that is not JSON is refused in the same way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), (text) => isRefused(text)),
      { numRuns: 50 },
    );
  });
});
