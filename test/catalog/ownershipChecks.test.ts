import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import { OWNERSHIP_COOLDOWN_MS } from '../../src/server/catalog/ownership/cooldown.ts';
import { enginesWithoutFiles } from '../store/engines.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { type CatalogPaymentParts, catalogPayment } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';
import { challengeFor, startTlsSeller, type TlsSeller } from '../support/tlsSeller.ts';

const SELLER = testKey('seller').address;
const HOSTILE = testKey('hostile').address;
const URL_A = 'https://seller.dev/quote';

async function entryOf(at: TestCatalog, url = URL_A) {
  await at.catalog.idle();
  const { entries } = await at.catalog.list({}, { limit: 100, offset: 0, order: 'oldest' });
  const entry = entries.find(({ listing }) => listing.resource === url);
  assert.ok(entry, url);
  return entry;
}

for (const engine of enginesWithoutFiles()) {
  describe(`[spec: Catalog ownership binding/Unbound to bound] is established after settlements: ${engine.name}`, {
    skip: engine.missing ?? false,
  }, () => {
    let seller: TlsSeller;
    let recipients = [SELLER];
    let changes: readonly object[] = [];
    let at: TestCatalog;
    before(async () => {
      await engine.begin();
      seller = await startTlsSeller((_, response) => {
        const accepts = recipients.map((payTo) => ({ scheme: 'exact', payTo, amount: '1' }));
        const extensions = { 'svc-recipient-change': changes };
        const challenge = encodeHeaderMessage({ x402Version: 2, accepts, extensions });
        response.writeHead(402, { 'payment-required': challenge }).end();
      });
    });
    after(async () => {
      await seller.close();
      await engine.end();
    });
    async function open() {
      recipients = [SELLER];
      changes = [];
      seller.requests.length = 0;
      const { database } = await engine.open();
      at = await openTestCatalog({ database, ownershipFetch: seller.fetch });
    }
    const settle = (parts: CatalogPaymentParts = {}) => at.settle({ url: URL_A, ...parts });

    it("an entry whose challenge names the seller becomes verified, off the settlement's path", async () => {
      await open();
      assert.equal(await settle(), 'cataloged');
      assert.equal((await entryOf(at)).trust.ownerVerified, true);
      const { frozen, unverifiable, reverifyPending } = at.catalog.status();
      assert.deepEqual([frozen, unverifiable, reverifyPending], [false, 0, 0]);
      await at.close();
    });

    it('[spec: Limits/Ownership re-check cooldown] [spec: Catalog ownership binding/Same payTo] it is not checked again within 15 minutes, but afterwards', async () => {
      await open();
      for (let n = 0; n < 5; n++) await settle();
      await at.catalog.idle();
      assert.equal(seller.requests.length, 1);
      recipients = [testKey('other').address];
      at.clock.advance(OWNERSHIP_COOLDOWN_MS - 1);
      await settle();
      assert.equal((await entryOf(at)).trust.ownerVerified, true);
      assert.equal(seller.requests.length, 1);
      at.clock.advance(1);
      await settle();
      assert.equal((await entryOf(at)).trust.ownerVerified, false);
      assert.equal(seller.requests.length, 2);
      assert.equal(at.catalog.status().unverifiable, 1);
      await at.close();
    });

    it("a verified entry follows its owner's challenge, whatever others pay and declare", async () => {
      const { declared, option } = catalogPayment({
        url: URL_A,
        resource: { serviceName: 'Mine' },
      });
      const { resource, extensions } = declared;
      const speaking = await startTlsSeller((_, response) => {
        const challenge = {
          x402Version: 2,
          resource,
          extensions,
          accepts: [{ ...option, payTo: SELLER }],
        };
        response.writeHead(402, { 'payment-required': encodeHeaderMessage(challenge) }).end();
      });
      const { database } = await engine.open();
      const own = await openTestCatalog({ database, ownershipFetch: speaking.fetch });
      const hostile = { url: URL_A, amount: '1', resource: { serviceName: 'Scam' } };
      await own.settle(hostile);
      const corrected = await entryOf(own);
      assert.equal(corrected.listing.serviceName, 'Mine');
      assert.deepEqual(
        corrected.accepts.map(({ amount }) => amount),
        ['100000'],
      );
      await own.settle(hostile);
      const kept = await entryOf(own);
      assert.deepEqual([kept.listing.serviceName, kept.accepts[0]?.amount], ['Mine', '100000']);
      assert.equal(kept.trust.settlements, 2);
      const [usage] = await database.all<{ bytes: number }>('SELECT bytes FROM catalog_totals');
      const [row] = await database.all<{ bytes: number }>('SELECT bytes FROM catalog_entries');
      assert.equal(usage?.bytes, row?.bytes);
      await own.close();
      await speaking.close();
    });

    it('the bound URL is requested, without a payer’s additions to it', async () => {
      await open();
      await settle({ url: 'https://user:pw@SELLER.dev:443/a/../quote/?q=1#x' });
      await entryOf(at);
      assert.deepEqual(
        seller.requests.map(({ url }) => url),
        ['/quote'],
      );
      await at.close();
    });

    it('[spec: Discovery extension declaration/Templated route] a templated route stays listed, is never fetched and never verified', async () => {
      await open();
      await settle({
        url: 'https://seller.dev/weather/Lima',
        bazaar: { routeTemplate: '/weather/:city' },
      });
      const entry = await entryOf(at, 'https://seller.dev/weather/:city');
      assert.equal(entry.trust.ownerVerified, false);
      assert.equal(entry.ownerState, 'unverifiable');
      assert.equal(seller.requests.length, 0);
      await at.close();
    });

    it("a stranger's payments cause no request to a seller within the cooldown, and one after it", async () => {
      await open();
      await settle();
      await at.catalog.idle();
      assert.equal(await settle({ payTo: HOSTILE }), 'binding_refused');
      await at.catalog.idle();
      assert.equal(seller.requests.length, 1);
      at.clock.advance(OWNERSHIP_COOLDOWN_MS);
      for (let n = 0; n < 5; n++) {
        assert.equal(await settle({ payTo: HOSTILE }), 'binding_refused');
        await at.catalog.idle();
      }
      assert.equal(seller.requests.length, 2);
      assert.equal((await entryOf(at)).payTo, SELLER);
      await at.close();
    });

    describe('a verified claim displaces an unverified one', () => {
      it('one exact URL that a squatter paid first is its owner’s after the owner’s payment', async () => {
        await open();
        assert.equal(await settle({ payTo: HOSTILE, payer: 'squatter' }), 'cataloged');
        await at.catalog.idle();
        at.clock.advance(1_000);
        assert.equal(await settle(), 'binding_refused');
        const entry = await entryOf(at);
        assert.equal(entry.payTo, SELLER);
        assert.deepEqual([entry.trust.settlements, entry.trust.ownerVerified], [1, true]);
        // The outcome of the squatter's settlement is still known.
        const [kept] = await at.database.all<{ count: number }>(
          'SELECT COUNT(*) AS count FROM catalog_settlements',
        );
        assert.equal(kept?.count, 2);
        assert.equal(await settle({ payTo: HOSTILE }), 'binding_refused');
        await at.close();
      });

      it('five payments to oneself close no origin: a squatter’s templates are removed by the owner’s proof', async () => {
        await open();
        for (const [depth, routeTemplate] of ['/:a', '/:a/:b', '/:a/:b/:c'].entries()) {
          const url = `https://seller.dev${'/x'.repeat(depth + 1)}`;
          const parts = { url, bazaar: { routeTemplate }, payTo: HOSTILE };
          assert.equal(await settle(parts), 'cataloged');
        }
        const route = {
          url: 'https://seller.dev/weather/Lima',
          bazaar: { routeTemplate: '/weather/:city' },
        };
        assert.equal(await settle(route), 'unbound_payto');
        await at.catalog.idle();
        assert.equal(
          await settle({ ...route, url: 'https://seller.dev/weather/Rome' }),
          'cataloged',
        );
        await at.catalog.idle();
        const { entries } = await at.catalog.list({}, { limit: 100, offset: 0, order: 'oldest' });
        assert.deepEqual(
          entries.map(({ listing, payTo, trust }) => [listing.resource, payTo, trust.settlements]),
          [['https://seller.dev/weather/:city', SELLER, 2]],
        );
        // From now on the origin is its owner's: made-up paths are refused.
        assert.equal(
          await settle({ url: 'https://seller.dev/weather/evil', payTo: HOSTILE }),
          'unbound_payto',
        );
        const [totals] = await at.database.all<{ entries: number; bytes: number }>(
          'SELECT entries, bytes FROM catalog_totals',
        );
        const [rows] = await at.database.all<{ entries: number; bytes: number }>(
          'SELECT COUNT(*) AS entries, SUM(bytes) AS bytes FROM catalog_entries WHERE listed = 1',
        );
        assert.deepEqual(
          [totals?.entries, totals?.bytes],
          [Number(rows?.entries), Number(rows?.bytes)],
        );
        await at.close();
      });

      it('a squatter whom the URL does not name proves nothing', async () => {
        await open();
        await settle();
        await at.catalog.idle();
        at.clock.advance(OWNERSHIP_COOLDOWN_MS);
        assert.equal(await settle({ payTo: HOSTILE }), 'binding_refused');
        assert.equal((await entryOf(at)).payTo, SELLER);
        await at.close();
      });
    });

    describe('a seller moves to another payTo', () => {
      const NEXT = testKey('next').address;

      it('its own challenge is enough once the origin has been verified for seven days', async () => {
        await open();
        await settle({ payer: 'a' });
        await at.catalog.idle();
        at.clock.advance(8 * 86_400_000);
        recipients = [NEXT];
        assert.equal(await settle({ payTo: NEXT, payer: 'b' }), 'binding_refused');
        const entry = await entryOf(at);
        // Trust does not move along: nothing shows that the old recipient agreed.
        assert.deepEqual(
          [entry.payTo, entry.trust.settlements, entry.trust.ownerVerified],
          [NEXT, 1, true],
        );
        await at.close();
      });

      /** The former recipient agrees to the next one, as its wallet signs messages (SEP-53). */
      function signed({
        by = 'seller',
        origin = 'https://seller.dev',
        from = SELLER as string,
        to = NEXT as string,
      } = {}) {
        const text = `svc-x402 recipient change\norigin: ${origin}\nfrom: ${from}\nto: ${to}`;
        const digest = createHash('sha256').update(`Stellar Signed Message:\n${text}`).digest();
        const signature = Buffer.from(testKey(by).sign(digest)).toString('base64');
        return { from, to, signature };
      }

      it('at once, and its counts follow, when the old key signed the change', async () => {
        await open();
        for (const payer of ['a', 'b', 'b']) await settle({ payer });
        await at.catalog.idle();
        at.clock.advance(OWNERSHIP_COOLDOWN_MS);
        [recipients, changes] = [[NEXT], [signed()]];
        assert.equal(await settle({ payTo: NEXT, payer: 'c' }), 'binding_refused');
        const { payTo, trust, accepts } = await entryOf(at);
        assert.deepEqual(
          [payTo, trust.settlements, trust.uniquePayers, trust.ownerVerified],
          [NEXT, 4, 3, true],
        );
        // No price of the former recipient is left.
        assert.deepEqual([...new Set(accepts.map((option) => option.payTo))], [NEXT]);
        const usage = await at.database.all<{ pay_to: string; entries: number }>(
          'SELECT pay_to, entries FROM catalog_sellers ORDER BY entries',
        );
        assert.deepEqual(
          usage.map(({ pay_to, entries }) => [pay_to, entries]),
          [
            [SELLER, 0],
            [NEXT, 1],
          ],
        );
        // The former recipient has no claim any more.
        assert.equal(await settle({ payer: 'd' }), 'binding_refused');
        await at.close();
      });

      const WRONG = {
        'by another key': [signed({ by: 'hostile' })],
        'for another origin': [signed({ origin: 'https://other.dev' })],
        'to another recipient': [signed({ to: HOSTILE })],
        'to another recipient, with the name exchanged': [{ ...signed({ to: HOSTILE }), to: NEXT }],
        'of the next recipient itself': [signed({ by: 'next', from: NEXT })],
        'that is not a signature': [{ ...signed(), signature: 'AAAA' }, null, [], 'x', { from: 1 }],
        'of a contract, which has no key': [
          signed({ from: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA' }),
        ],
      };
      for (const [how, wrong] of Object.entries(WRONG)) {
        it(`not at once by a signature ${how}`, async () => {
          await open();
          await settle();
          await at.catalog.idle();
          at.clock.advance(OWNERSHIP_COOLDOWN_MS);
          recipients = [NEXT];
          changes = wrong as readonly object[];
          assert.equal(await settle({ payTo: NEXT }), 'binding_refused');
          const entry = await entryOf(at);
          assert.deepEqual([entry.payTo, entry.trust.settlements], [SELLER, 1]);
          await at.close();
        });
      }

      it('before that an origin that was hijacked for an hour moves nothing', async () => {
        await open();
        await settle();
        await at.catalog.idle();
        at.clock.advance(86_400_000);
        recipients = [HOSTILE];
        assert.equal(await settle({ payTo: HOSTILE }), 'binding_refused');
        assert.equal((await entryOf(at)).payTo, SELLER);
        // Nor does the failed check of the owner's own next payment.
        at.clock.advance(OWNERSHIP_COOLDOWN_MS);
        await settle();
        await at.catalog.idle();
        at.clock.advance(OWNERSHIP_COOLDOWN_MS);
        assert.equal(await settle({ payTo: HOSTILE }), 'binding_refused');
        assert.equal((await entryOf(at)).payTo, SELLER);
        await at.close();
      });
    });

    it('[spec: Health/reverifyPending] [spec: Catalog ownership binding/Restart] a restart resumes open checks, and checks verified sellers again', async () => {
      await open();
      await settle();
      await entryOf(at);
      await at.database.run("UPDATE catalog_entries SET owner_state = 'pending'");
      const second = await at.restart();
      assert.ok(second.catalog.status().reverifyPending <= 1);
      assert.equal((await entryOf(second)).trust.ownerVerified, true);
      assert.equal(seller.requests.length, 2);
      // Fresh verdicts are not asked for again, old ones are.
      const third = await second.restart();
      await third.catalog.idle();
      assert.equal(seller.requests.length, 2);
      third.clock.advance(OWNERSHIP_COOLDOWN_MS);
      recipients = [];
      const fourth = await third.restart();
      assert.equal((await entryOf(fourth)).trust.ownerVerified, false);
      assert.equal(seller.requests.length, 3);
      assert.equal(fourth.catalog.status().reverifyPending, 0);
      await fourth.close();
    });

    it('stopping ends a running check', async () => {
      const silent = await startTlsSeller(() => {});
      const stopped = await openTestCatalog({ ownershipFetch: silent.fetch });
      await stopped.settle({ url: URL_A });
      while (silent.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const startedAt = Date.now();
      await stopped.close();
      assert.ok(Date.now() - startedAt < 1_000);
      await silent.close();
    });
  });
}

describe('Only on the embedded network, a seller on this machine is checked too', () => {
  it('trust.localCheck carries the result, and ownerVerified stays false', async () => {
    let header = challengeFor(SELLER);
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.writeHead(402, { 'payment-required': header }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/quote`;

    const strict = await openTestCatalog();
    await strict.settle({ url });
    assert.equal('localCheck' in (await entryOf(strict, url)).trust, false);
    assert.equal(requests, 0);
    await strict.close();

    const local = await openTestCatalog({ checksLocalSellers: true });
    await local.settle({ url });
    const { trust } = await entryOf(local, url);
    assert.deepEqual([trust.localCheck, trust.ownerVerified], [true, false]);
    header = challengeFor(testKey('other').address);
    local.clock.advance(OWNERSHIP_COOLDOWN_MS);
    await local.settle({ url });
    const again = (await entryOf(local, url)).trust;
    assert.deepEqual([again.localCheck, again.ownerVerified], [false, false]);
    // A private address is neither public nor this machine.
    await local.settle({ url: 'http://10.0.0.1/quote' });
    assert.equal('localCheck' in (await entryOf(local, 'http://10.0.0.1/quote')).trust, false);
    await local.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
