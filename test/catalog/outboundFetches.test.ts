import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { testKey } from '../support/payer.ts';
import { challengeFor, startTlsSeller, type TlsSeller } from '../support/tlsSeller.ts';

const AT_ONCE = 8;
const WAITING = 32;
const SELLER = testKey('seller').address;

interface Validated {
  readonly rules: readonly { readonly rule: string; readonly detail?: string }[];
}

interface Held {
  readonly path: string;
  readonly response: ServerResponse;
}

describe('Validation and ownership checks share a few connections to strangers', () => {
  let seller: TlsSeller;
  let at: TestCatalog;
  let held: Held[] = [];
  let most = 0;

  beforeEach(async () => {
    held = [];
    most = 0;
    seller = await startTlsSeller((request, response) => {
      held.push({ path: request.url ?? '', response });
      most = Math.max(most, held.length);
    });
    // The seller holds requests until the test lets go, however long the machine takes until then.
    at = await openTestCatalog({ ownershipFetch: { ...seller.fetch, timeoutMs: 600_000 } });
  });
  afterEach(async () => {
    await seller.close();
    await at.close();
  });

  /** Resolves when so many requests are held by the seller. */
  async function arrived(count: number): Promise<void> {
    while (held.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  function release(): void {
    for (const { response } of held.splice(0)) {
      response.writeHead(402, { 'payment-required': challengeFor(SELLER) }).end();
    }
  }

  async function validate(n: number): Promise<string> {
    const url = `https://seller.dev/${n}`;
    const { body } = await at.post<Validated>('/discovery/validate', { url });
    return body.rules[0]?.detail ?? 'asked';
  }

  it('[S9] of 100 validations at once, eight run, 32 wait and the rest are refused', async () => {
    const answers: string[] = [];
    const all = Array.from({ length: 100 }, async (_, n) => void answers.push(await validate(n)));
    // Refusals are answered while the other requests are under way or wait.
    while (answers.length < 100 - AT_ONCE - WAITING) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.ok(answers.includes('too_busy'));
    const releasing = setInterval(release, 5);
    await Promise.all(all);
    clearInterval(releasing);
    assert.equal(answers.filter((answer) => answer === 'too_busy').length, 100 - AT_ONCE - WAITING);
    assert.ok(answers.includes('asked'));
    assert.ok(most <= AT_ONCE, `${most} at once`);
  });

  it('an ownership check goes ahead of waiting validations, and is never refused', async () => {
    const waiting = Array.from({ length: AT_ONCE + WAITING }, (_, n) => validate(n));
    await arrived(AT_ONCE);
    assert.equal(await at.settle({ url: 'https://seller.dev/checked' }), 'cataloged');
    const [first] = held.splice(0, 1);
    first?.response.writeHead(402, { 'payment-required': challengeFor(SELLER) }).end();
    await arrived(AT_ONCE);
    assert.equal(held.at(-1)?.path, '/checked');
    const releasing = setInterval(release, 5);
    await Promise.all(waiting);
    await at.catalog.idle();
    clearInterval(releasing);
    const { entries } = await at.catalog.list({}, { limit: 1, offset: 0, order: 'oldest' });
    assert.equal(entries[0]?.trust.ownerVerified, true);
  });
});
