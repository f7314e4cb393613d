import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import { OWNERSHIP_COOLDOWN_MS } from '../../src/server/catalog/ownership/cooldown.ts';
import { MOVES_AFTER_MS } from '../../src/server/catalog/records/displace.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { type catalogPayment, hashOf } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';
import { startTlsSeller } from '../support/tlsSeller.ts';

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
  /** Reported again: the hash of an earlier settlement, counted from the end. */
  again: fc.option(fc.nat(3), { freq: 5 }),
});

/** Who owns what, by the specification alone. */
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
    // No origin is verified here: a template must not cover URLs of others, and does not bind them.
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
  it('[spec: Catalog ownership binding/Different payTo] [spec: Catalog ownership binding/Same payTo] the catalog binds, counts and refuses as specified', async () => {
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

/** An entry as its owner sees it. */
interface Owned {
  readonly payTo: string;
  readonly settlements: number;
  readonly verified: boolean;
}

async function ownedAt(at: TestCatalog): Promise<Map<string, Owned>> {
  await at.catalog.idle();
  const { entries } = await at.catalog.list({}, { limit: 100, offset: 0, order: 'oldest' });
  return new Map(
    entries.map(({ listing, payTo, trust }) => [
      listing.resource,
      { payTo, settlements: trust.settlements, verified: trust.ownerVerified },
    ]),
  );
}

/** Signatures by which each recipient agrees to each other one. */
const AGREED = ['one', 'two', 'three'].flatMap((name) =>
  PAY_TO.map((to) => {
    const from = testKey(name).address;
    const text = `svc-x402 recipient change\norigin: https://seller.dev\nfrom: ${from}\nto: ${to}`;
    const digest = createHash('sha256').update(`Stellar Signed Message:\n${text}`).digest();
    return { from, to, signature: Buffer.from(testKey(name).sign(digest)).toString('base64') };
  }),
);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ settles: command, toNamed: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      /** Whom the seller's 402 names from now on, and whether former recipients agree. */
      names: fc.option(fc.nat(PAY_TO.length - 1), { freq: 9 }),
      signed: fc.nat(2).map((n) => n === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      waits: fc.oneof(
        { weight: 6, arbitrary: fc.constant(OWNERSHIP_COOLDOWN_MS) },
        { weight: 1, arbitrary: fc.constantFrom(86_400_000, MOVES_AFTER_MS) },
      ),
    }),
  },
);

describe('Whatever settles, whichever recipient the 402 names, whichever payer signs, however long it takes', () => {
  it('an entry changes hands only if its URL says so, and keeps its counts only with a signature', async () => {
    let named: string | undefined;
    let signed = false;
    const seller = await startTlsSeller((_, response) => {
      const accepts = named === undefined ? [] : [{ scheme: 'exact', payTo: named, amount: '1' }];
      const extensions = signed ? { 'svc-recipient-change': AGREED.slice(0, 10) } : {};
      const challenge = encodeHeaderMessage({ x402Version: 2, accepts, extensions });
      response.writeHead(402, { 'payment-required': challenge }).end();
    });
    const changes = { hands: 0, withCounts: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 40 }), async (steps) => {
        [named, signed] = [undefined, false];
        const at = await openTestCatalog({ ownershipFetch: seller.fetch });
        const namedSince = new Map<string, number>();
        let before = await ownedAt(at);
        for (const one of steps) {
          if ('waits' in one) {
            at.clock.advance(one.waits);
            continue;
          }
          if ('names' in one) {
            named = one.names === null ? undefined : PAY_TO[one.names];
            signed = one.signed;
            if (named !== undefined && !namedSince.has(named))
              namedSince.set(named, at.clock.now());
            continue;
          }
          const { url, ...shape } = ROUTES[one.settles.route % 3] ?? ROUTES[0];
          const payTo = (one.toNamed ? named : PAY_TO[one.settles.payTo]) ?? PAY_TO[0] ?? '';
          const answer = await at.settle({
            url,
            payTo,
            payer: `payer ${one.settles.payer}`,
            bazaar: 'template' in shape ? { routeTemplate: shape.template } : {},
          });
          const after = await ownedAt(at);
          const paid = 'template' in shape ? 'https://seller.dev/a/:id' : url;
          for (const [resource, was] of before) {
            const now = after.get(resource);
            if (now?.payTo === was.payTo) {
              const counts = resource === paid && payTo === was.payTo && answer === 'cataloged';
              assert.equal(now.settlements, was.settlements + (counts ? 1 : 0));
              continue;
            }
            changes.hands += 1;
            assert.equal(named, payTo, 'the URL named its present owner');
            assert.equal(now?.payTo ?? payTo, payTo);
            const age = at.clock.now() - (namedSince.get(was.payTo) ?? at.clock.now());
            assert.ok(!was.verified || signed || age >= MOVES_AFTER_MS, 'a verified entry moved');
            if (now === undefined) continue;
            if (now.settlements > 1) {
              assert.ok(signed, 'counts followed without a signature');
              assert.equal(now.settlements, was.settlements + 1);
              changes.withCounts += 1;
            }
          }
          const [totals] = await at.database.all(
            'SELECT entries, bytes FROM catalog_totals WHERE id = 1',
          );
          const [rows] = await at.database.all(
            'SELECT COUNT(*) AS entries, COALESCE(SUM(bytes), 0) AS bytes FROM catalog_entries WHERE listed = 1',
          );
          assert.deepEqual({ ...totals }, { ...rows });
          before = after;
        }
        await at.close();
      }),
      { numRuns: 25, seed: 16, endOnFailure: true },
    );
    await seller.close();
    // The steps reached the cases that they are about.
    assert.ok(changes.hands > 10 && changes.withCounts > 3, JSON.stringify(changes));
  });
});
