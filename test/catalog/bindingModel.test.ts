import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openTestCatalog } from '../support/catalog.ts';
import { type catalogPayment, hashOf } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';

/** Routes of one origin; the third covers the first two, and nothing covers the last. */
const ROUTES = [
  { url: 'https://seller.dev/a/x', key: '/a/x' },
  { url: 'https://seller.dev/a/y', key: '/a/y' },
  { url: 'https://seller.dev/a/z', key: '/a/:', template: '/a/:id' },
  { url: 'https://seller.dev/b', key: '/b' },
] as const;
const PAY_TO = ['one', 'two', 'three'].map((name) => testKey(name).address);

const command = fc.record({
  route: fc.nat(ROUTES.length - 1),
  payTo: fc.nat(PAY_TO.length - 1),
  payer: fc.nat(3),
  /** Told again: the hash of an earlier settlement, from the end. */
  again: fc.option(fc.nat(3), { freq: 5 }),
});

/** Who owns what, by the words of the specification alone. */
class Model {
  readonly #owned = new Map<string, { owner: number; settlements: number; payers: Set<number> }>();

  settle(key: string, payTo: number, payer: number): string {
    const known = this.#owned.get(key);
    if (known !== undefined && known.owner !== payTo) return 'binding_refused';
    if (known === undefined && this.#isForeign(key, payTo)) return 'unbound_payto';
    const counts = known ?? { owner: payTo, settlements: 0, payers: new Set() };
    this.#owned.set(key, {
      ...counts,
      settlements: counts.settlements + 1,
      payers: counts.payers.add(payer),
    });
    return 'cataloged';
  }

  #isForeign(key: string, payTo: number): boolean {
    // No origin is verified here: a template takes in nothing of others, and binds nothing of theirs.
    return (
      key === '/a/:' &&
      [...this.#owned].some(([other, { owner }]) => owner !== payTo && other.startsWith('/a/'))
    );
  }

  get listed() {
    return new Map(
      [...this.#owned].map(([key, { owner, settlements, payers }]) => [
        `https://seller.dev${key.replace('/:', '/:id')}`,
        [PAY_TO[owner], settlements, payers.size],
      ]),
    );
  }
}

describe('Whatever settles in whatever order', () => {
  it('[spec: Catalog ownership binding/Different payTo] [spec: Catalog ownership binding/Same payTo] the catalog owns, counts and refuses as the words say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        const at = await openTestCatalog();
        const model = new Model();
        const told: { parts: Parameters<typeof catalogPayment>[0]; answer: string }[] = [];
        for (const [n, { route, payTo, payer, again }] of commands.entries()) {
          const before = again === null ? undefined : told.at(-1 - again);
          if (before !== undefined) {
            assert.equal(await at.settle(before.parts), before.answer);
            continue;
          }
          const { url, key, ...shape } = ROUTES[route] ?? ROUTES[0];
          const parts = {
            url,
            payTo: PAY_TO[payTo] ?? '',
            payer: `payer ${payer}`,
            hash: hashOf(`model ${n}`),
            bazaar: 'template' in shape ? { routeTemplate: shape.template } : {},
          };
          const answer = await at.settle(parts);
          assert.equal(answer, model.settle(key, payTo, payer));
          told.push({ parts, answer });
        }
        const { entries } = await at.catalog.list({}, { limit: 100, offset: 0, order: 'oldest' });
        const listed = entries.map(
          ({ listing, payTo, trust }) =>
            [listing.resource, [payTo, trust.settlements, trust.uniquePayers]] as const,
        );
        assert.deepEqual(new Map(listed), model.listed);
        await at.close();
      }),
      { numRuns: 60 },
    );
  });
});
