import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import {
  configFromEnvironment,
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

/** A discovery extension as a seller's route declares it. */
function declareHttp(): object {
  return {
    info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Oslo' } } },
    schema: {
      type: 'object',
      properties: { input: { type: 'object' } },
      required: ['input'],
    },
  };
}

type Controls = NonNullable<FacilitatorOptions['spendControls']>;

const GENEROUS: Controls = {
  enforced: false,
  payToPerMinute: 1_000,
  urlPerMinute: 1_000,
  clientFeesPerMinuteStroops: 10n ** 12n,
  feesPerDayStroops: 10n ** 12n,
  unboundFeesPerDayStroops: 10n ** 12n,
};

/** The four refusals, each with limits that the second settlement in a row goes beyond. */
const REFUSALS: readonly (readonly [string, Partial<Controls>])[] = [
  ['rate_limited_payto', { payToPerMinute: 1 }],
  ['rate_limited_url', { urlPerMinute: 1 }],
  // The first settlement spends what it reserved; the second would exceed the limit.
  ['rate_limited_client', { clientFeesPerMinuteStroops: 500_001n }],
  ['spend_ceiling', { feesPerDayStroops: 500_001n }],
  ['unbound_pool_exhausted', { unboundFeesPerDayStroops: 500_001n }],
];

describe('[spec: Facilitator codes/Spend refusals] The spend refusals', () => {
  let local: LocalNetwork;
  let payer: TestKey;
  let seller: TestKey;

  before(async () => {
    local = await startLocalNetwork();
    payer = await openPayer(local, 1_000_000_000n);
    seller = await openSeller(local);
  });
  after(() => local.close());

  async function serving(
    controls: Partial<Controls>,
    what: (facilitator: RunningFacilitator, logged: object[]) => Promise<void>,
  ): Promise<void> {
    const logged: object[] = [];
    const say = (fields: object, message: string) => logged.push({ ...fields, message });
    const facilitator = await startFacilitator({
      ...facilitatorOptions(local),
      trustedProxyHops: 1,
      spendControls: { ...GENEROUS, ...controls },
      logger: { debug() {}, info: say, warn: say, error: say },
    });
    try {
      await what(facilitator, logged);
    } finally {
      await facilitator.close();
    }
  }

  async function payment(url: string): Promise<FacilitatorRequest> {
    const request = await freshPayment(local, payer, seller);
    return { ...request, paymentPayload: { ...request.paymentPayload, resource: { url } } };
  }

  async function counted(base: string, reason: string, mode: string): Promise<number> {
    const text = await (await fetch(`${base}/metrics`)).text();
    const name = `svc_x402_spend_refusals_total{reason="${reason}",mode="${mode}"} `;
    const line = text.split('\n').find((one) => one.startsWith(name));
    return Number(line?.slice(name.length) ?? 0);
  }

  for (const [reason, controls] of REFUSALS) {
    it(`${reason}: on the test network it is logged as would-reject, counted, and the settlement proceeds`, async () => {
      await serving(controls, async ({ url }, logged) => {
        for (let i = 0; i < 2; i++) {
          const { body } = await post(url, '/settle', await payment('https://api.example/x?n=1'));
          assert.equal(body.success, true);
        }
        const lines = logged.filter((line) => 'message' in line && line.message === 'would-reject');
        assert.deepEqual(
          lines.map((line) => 'reason' in line && line.reason),
          [reason],
        );
        assert.equal(await counted(url, reason, 'would_reject'), 1);
      });
    });

    it(`${reason}: enforced, it is HTTP 503 settlement_refused with its reason, and nothing moves`, async () => {
      await serving({ ...controls, enforced: true }, async ({ url }) => {
        const first = await post(url, '/settle', await payment('https://api.example/y'));
        assert.equal(first.body.success, true);
        const before = (await balancesOf(local, seller.address)).usdc;
        const refused = await post(url, '/settle', await payment('https://api.example/y/'));
        assert.equal(refused.status, 503);
        assert.equal(refused.body.error, 'settlement_refused');
        assert.equal(refused.body.reason, reason);
        assert.equal(refused.body.success, false);
        assert.equal(refused.body.transaction, '');
        assert.equal(refused.headers.get('extension-responses'), null);
        assert.equal((await balancesOf(local, seller.address)).usdc, before);
        assert.equal(await counted(url, reason, 'refused'), 1);
        const health = (await (await fetch(`${url}/health`)).json()) as {
          channels: { free: number };
          sponsor: { reserved: string };
        };
        assert.deepEqual([health.channels.free, health.sponsor.reserved], [50, '0']);
      });
    });
  }

  it('a refused payment is not used up: it settles once it is allowed', async () => {
    const request = await payment('https://api.example/z');
    await serving({ feesPerDayStroops: 1n, enforced: true }, async ({ url }) => {
      assert.equal((await post(url, '/settle', request)).body.reason, 'spend_ceiling');
    });
    await serving({}, async ({ url }) => {
      assert.equal((await post(url, '/settle', request)).body.success, true);
    });
  });

  it('another query is not another resource, another path is', async () => {
    await serving({ urlPerMinute: 1, enforced: true }, async ({ url }) => {
      const settle = async (resource: string) =>
        (await post(url, '/settle', await payment(resource))).body;
      assert.equal((await settle('https://api.example/a?x=1')).success, true);
      assert.equal((await settle('https://api.example/a?x=2')).reason, 'rate_limited_url');
      assert.equal((await settle('https://api.example/b')).success, true);
      // Anything that is not a URL is counted under none.
      assert.equal((await settle('not a url')).success, true);
      assert.equal((await settle('not a url')).success, true);
    });
  });

  it('the unbound pool does not pay for recipients in the catalog', async () => {
    const controls = { unboundFeesPerDayStroops: 500_001n, enforced: true };
    await serving(controls, async ({ url }) => {
      const listed = async () => {
        const request = await payment('https://api.example/listed');
        const extension = declareHttp();
        request.paymentPayload.extensions = { bazaar: extension };
        return (await post(url, '/settle', request)).body;
      };
      for (let i = 0; i < 3; i++) assert.equal((await listed()).success, true);
    });
  });

  it('settlements in flight count against the ceiling, so that a burst cannot exceed it', async () => {
    const controls = { feesPerDayStroops: 1_100_000n, enforced: true };
    await serving(controls, async ({ url }) => {
      const requests = await Promise.all(
        Array.from({ length: 6 }, () => payment('https://api.example/burst')),
      );
      const answers = await Promise.all(requests.map((one) => post(url, '/settle', one)));
      const settled = answers.filter(({ body }) => body.success).length;
      assert.ok(settled >= 1 && settled < 6, `${settled} settled`);
      assert.ok(answers.some(({ body }) => body.reason === 'spend_ceiling'));
    });
  });

  describe('by client', () => {
    /** Settles at an address of the network 203.0.113.0/24 or another one, as a proxy reports it. */
    const settleFrom = async (base: string, address: string, resource: string) =>
      (await post(base, '/settle', await payment(resource), { 'x-forwarded-for': address })).body;

    for (const [reason, controls] of [
      ['unbound_pool_exhausted', { unboundFeesPerDayStroops: 560_000n }],
      ['spend_ceiling', { feesPerDayStroops: 560_000n }],
      ['rate_limited_payto', { payToPerMinute: 2 }],
      ['rate_limited_url', { urlPerMinute: 2 }],
    ] as const) {
      it(`${reason}: a stranger that reaches it closes it for itself alone`, async () => {
        await serving({ ...controls, enforced: true }, async ({ url }) => {
          const resource = 'https://api.example/for-two';
          let body = await settleFrom(url, '203.0.113.1', resource);
          for (let n = 0; n < 10 && body.success; n++) {
            body = await settleFrom(url, '203.0.113.1', resource);
          }
          assert.equal(body.reason, reason);
          const other = await settleFrom(url, '203.0.113.2', resource);
          assert.equal(other.success, true, JSON.stringify(other));
        });
      });
    }

    it('the addresses of one IPv6 network are one client', async () => {
      const controls = { clientFeesPerMinuteStroops: 500_001n, enforced: true };
      await serving(controls, async ({ url }) => {
        const settle = (address: string) => settleFrom(url, address, 'https://api.example/six');
        assert.equal((await settle('2001:db8:1:2::1')).success, true);
        assert.equal((await settle('2001:db8:1:2:ffff::9')).reason, 'rate_limited_client');
        assert.equal((await settle('2001:db8:1:3::1')).success, true);
      });
    });
  });

  describe('SPEND_LIMITS_REFUSE', () => {
    const environment = {
      STELLAR_RPC_URL: 'http://127.0.0.1:1',
      SPONSOR_SECRET: testKey('a sponsor that spends').secret,
      CHANNEL_SEED: 'long enough to be a secret',
    };
    const read = (more: Record<string, string>) =>
      configFromEnvironment({ ...environment, ...more }).spendControls;

    it('is off by default: the limits are only logged', () => {
      assert.equal(read({}).enforced, false);
    });

    it('makes the limits refuse, each with its own setting', () => {
      const controls = read({
        SPEND_LIMITS_REFUSE: 'true',
        SPEND_PAYTO_PER_MINUTE: '7',
        SPEND_URL_PER_MINUTE: '8',
        SPEND_CLIENT_FEES_PER_MINUTE_STROOPS: '2000000',
        SPEND_FEES_PER_DAY_STROOPS: '9000000',
        SPEND_UNBOUND_FEES_PER_DAY_STROOPS: '1000000',
      });
      assert.deepEqual(controls, {
        enforced: true,
        payToPerMinute: 7,
        urlPerMinute: 8,
        clientFeesPerMinuteStroops: 2_000_000n,
        feesPerDayStroops: 9_000_000n,
        unboundFeesPerDayStroops: 1_000_000n,
      });
    });

    it('is true or false, nothing else', () => {
      assert.throws(() => read({ SPEND_LIMITS_REFUSE: 'yes' }), /SPEND_LIMITS_REFUSE must be true/);
    });
  });
});
