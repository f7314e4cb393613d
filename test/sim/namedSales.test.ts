import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { declared, forResource, identified, withExtra } from '../support/namedSale.ts';
import { PAYER } from '../support/payment.ts';
import { ModelScene } from './modelScene.ts';
import { hashOf, openUntil, paidAs, rejectionOf, said } from './outcomes.ts';

/** The code for an identifier that belongs to something else. */
const CONFLICT = 'payment_identifier_conflict';
const ID = 'sale_0123456789-';
const WEATHER = 'https://seller.example/weather';
const GOLD = 'https://seller.example/gold';

/** How often a seller that asks /verify first and then /settle would deliver for these requests. */
async function served(
  scene: ModelScene,
  requests: readonly FacilitatorRequest[],
): Promise<{ readonly served: number; readonly verified: number }> {
  let count = 0;
  let verified = 0;
  for (const request of requests) {
    const verdict = await scene.until(scene.facilitator.verify(request));
    if (verdict.status === 'valid') verified += 1;
    const outcome = await scene.settled(request);
    if (outcome.status === 'settled') count += 1;
    await scene.pass(1_000);
  }
  return { served: count, verified };
}

describe('M4: a payment identifier that no seller declared', () => {
  it('buys one sale, however often the same header is sent', async () => {
    const scene = await ModelScene.open();
    const request = forResource(identified(scene.payment(), ID), WEATHER);
    assert.deepEqual(await served(scene, Array<FacilitatorRequest>(50).fill(request)), {
      ...{ served: 1, verified: 1 },
    });
  });

  it('buys one sale over all routes with the same terms', async () => {
    const scene = await ModelScene.open();
    const request = identified(scene.payment(), ID);
    const routes = [WEATHER, GOLD, `${WEATHER}?day=2`, 'http://localhost:3000/weather'];
    const requests = routes.map((url) => forResource(request, url));
    assert.equal((await served(scene, requests)).served, 1);
    // The header names the first route at each of them.
    const [first] = requests;
    assert.ok(first);
    assert.equal((await served(scene, [first, first, first])).served, 0);
  });

  it('buys one sale at another process of the same seller', async () => {
    const scene = await ModelScene.open();
    const request = identified(scene.payment(), ID);
    assert.equal((await served(scene, [request])).served, 1);
    const other = await scene.another();
    assert.equal((await served(other, [request, request])).served, 0);
  });

  it('buys nothing more 200 ledgers later', async () => {
    const scene = await ModelScene.open();
    const request = identified(scene.payment(), ID);
    await scene.settled(request);
    for (let ledger = 0; ledger < 200; ledger++) {
      scene.ledger.close();
      await scene.pass(5_000);
    }
    assert.deepEqual(await served(scene, [request]), { served: 0, verified: 0 });
  });

  for (const [where, forged] of [
    [
      'in `accepted`',
      (request) => {
        const { paymentPayload } = request;
        const accepted = {
          ...paymentPayload.accepted,
          extra: { 'payment-identifier': { method: 'GET', resource: WEATHER } },
        };
        return { ...request, paymentPayload: { ...paymentPayload, accepted } };
      },
    ],
    [
      'in the resource',
      (request) =>
        forResource(request, WEATHER, {
          'payment-identifier': { method: 'GET', resource: WEATHER },
        }),
    ],
    [
      'in the extension',
      (request) => {
        const { paymentPayload } = request;
        const extensions = {
          'payment-identifier': {
            info: { required: true, id: ID, method: 'GET', resource: WEATHER },
            schema: {},
            declared: true,
          },
        };
        return { ...request, paymentPayload: { ...paymentPayload, extensions } };
      },
    ],
    [
      'as the payload',
      (request) => {
        const { paymentPayload } = request;
        const payload = {
          ...paymentPayload.payload,
          extra: { 'payment-identifier': { method: 'GET', resource: WEATHER } },
        };
        return { ...request, paymentPayload: { ...paymentPayload, payload } };
      },
    ],
  ] satisfies [string, (request: FacilitatorRequest) => FacilitatorRequest][]) {
    it(`buys one sale if the buyer writes the seller's declaration ${where}`, async () => {
      const scene = await ModelScene.open();
      const request = forged(identified(scene.payment(), ID));
      assert.deepEqual(await served(scene, [request, request, request]), {
        ...{ served: 1, verified: 1 },
      });
    });
  }

  for (const [name, value] of [
    ['true', true],
    ['without a method', { resource: WEATHER }],
    ['without a resource', { method: 'GET' }],
    ['with an empty resource', { method: 'GET', resource: '' }],
    ['null', null],
  ] as const) {
    it(`declares nothing with terms that say only ${name}`, async () => {
      const scene = await ModelScene.open();
      const request = withExtra(identified(scene.payment(), ID), { 'payment-identifier': value });
      assert.equal((await served(scene, [request, request])).served, 1);
    });
  }
});

describe('A payment identifier (extension payment-identifier) that the seller declared', () => {
  it('gets the outcome of its sale every time, at /verify too', async () => {
    const scene = await ModelScene.open();
    const request = declared(identified(scene.payment(), ID));
    for (let times = 0; times < 3; times++) {
      assert.equal(hashOf(await scene.settled(request)), scene.takenHash);
      await scene.pass(1_000);
      const verdict = await scene.until(scene.facilitator.verify(request));
      assert.equal(verdict.status, 'valid');
    }
    assert.equal(scene.ledger.settledAs(scene.authorization).length, 1);
  });

  it('is looked up before the payment is verified', async () => {
    const scene = await ModelScene.open();
    const request = declared(identified(scene.payment(), ID));
    await scene.settled(request);
    await scene.pass(1_000);
    scene.network.simulate = () =>
      Promise.reject(new RpcError('unreachable', 'simulateTransaction', 'no connection'));
    assert.equal((await scene.until(scene.facilitator.verify(request))).status, 'valid');
    assert.equal(hashOf(await scene.until(scene.settle(request))), scene.takenHash);
  });

  it('gets it for ten minutes or the time limit of its terms, and not after a day', async () => {
    for (const [maxTimeoutSeconds, minutes, answered] of [
      [60, 9, true],
      [60, 11, false],
      [3_600, 59, true],
      [3_600, 61, false],
      [1e9, 23 * 60, true],
      [1e9, 25 * 60, false],
    ] as const) {
      const scene = await ModelScene.open();
      const entry = { expirationLedger: scene.ledger.ledger + 10 };
      const payment = scene.payment({ requirements: { maxTimeoutSeconds }, entry });
      const request = declared(identified(payment, ID));
      await scene.settled(request);
      await scene.pass(1_000);
      await scene.store.run('UPDATE settlements SET claimed_at = claimed_at - ?', [
        minutes * 60_000,
      ]);
      const verdict = await scene.until(scene.facilitator.verify(request));
      assert.equal(verdict.status, answered ? 'valid' : 'invalid', `${minutes} minutes`);
      const outcome = await scene.settled(request);
      assert.equal(outcome.status, answered ? 'settled' : 'rejected', `${minutes} minutes`);
      if (!answered) assert.equal(rejectionOf(outcome)?.known?.moneyMoved, 'yes');
    }
  });

  it('does not pay twice for one sale', async () => {
    const scene = await ModelScene.open();
    await scene.settled(declared(identified(scene.payment(), ID)));
    await scene.pass(1_000);
    const again = declared(identified(scene.payment(), ID));
    const verdict = await scene.until(scene.facilitator.verify(again));
    assert.equal(rejectionOf(verdict)?.code, 'payment_identifier_conflict');
    assert.deepEqual(said(await scene.settled(again)), {
      status: 'rejected',
      rejection: {
        ...{ code: 'payment_identifier_conflict', payer: PAYER.address },
        known: openUntil(1_051),
      },
    });
    assert.equal(scene.ledger.taken.size, 1);
  });

  for (const [name, other, code] of [
    ['of another resource', (request) => declared(request, 'GET', GOLD), CONFLICT],
    ['of another method', (request) => declared(request, 'POST'), CONFLICT],
    ['whose payload names another resource', (request) => forResource(request, GOLD), CONFLICT],
    [
      'without the identifier',
      (request) => ({
        ...request,
        paymentPayload: { ...request.paymentPayload, extensions: {} },
      }),
      'authorization_replayed',
    ],
    [
      'under another identifier',
      (request) => identified(request, `${ID}other`),
      'authorization_replayed',
    ],
    [
      'without the declaration',
      (request) => withExtra(request, { 'payment-identifier': undefined }),
      'authorization_replayed',
    ],
  ] satisfies [string, (request: FacilitatorRequest) => FacilitatorRequest, string][]) {
    it(`refuses the same payment ${name} as ${code}, and says that it was paid`, async () => {
      const scene = await ModelScene.open();
      const request = declared(identified(scene.payment(), ID));
      const hash = hashOf(await scene.settled(request));
      await scene.pass(1_000);
      const known = paidAs(hash, 1_001);
      const verdict = await scene.until(scene.facilitator.verify(other(request)));
      for (const outcome of [verdict, await scene.settled(other(request))]) {
        assert.equal(rejectionOf(outcome)?.code, code);
        assert.deepEqual(rejectionOf(outcome)?.known, known);
      }
    });
  }

  it('refuses another signature with the same nonce as a conflict', async () => {
    const scene = await ModelScene.open();
    const [nonce, later] = [4_711n, scene.ledger.ledger + 60];
    const request = declared(identified(scene.payment({ entry: { nonce } }), ID));
    const hash = hashOf(await scene.settled(request));
    await scene.pass(1_000);
    const other = scene.payment({ entry: { nonce, expirationLedger: later } });
    const again = declared(identified(other, ID));
    const verdict = await scene.until(scene.facilitator.verify(again));
    for (const outcome of [verdict, await scene.settled(again)]) {
      assert.equal(rejectionOf(outcome)?.code, CONFLICT);
      assert.deepEqual(rejectionOf(outcome)?.known, paidAs(hash, 1_001));
    }
  });

  it('of another resource is refused as a conflict while the first is being settled', async () => {
    const scene = await ModelScene.open();
    const request = declared(identified(scene.payment(), ID));
    await scene.hangAt('lookUp', request);
    const other = declared(request, 'GET', GOLD);
    for (const outcome of [
      await scene.until(scene.facilitator.verify(other)),
      await scene.until(scene.settle(other)),
    ]) {
      assert.equal(rejectionOf(outcome)?.code, CONFLICT);
      assert.equal(rejectionOf(outcome)?.known?.moneyMoved, 'unknown');
    }
  });

  it('is required if the seller says so: a payment without one is refused, and nothing is submitted', async () => {
    const required = (request: FacilitatorRequest) => {
      const { extra } = declared(request).paymentRequirements;
      const declaration = { ...(extra?.['payment-identifier'] as object), required: true };
      return withExtra(request, { 'payment-identifier': declaration });
    };
    for (const name of [
      (request: FacilitatorRequest) => request,
      (request: FacilitatorRequest) => identified(request, 'short'),
    ]) {
      const scene = await ModelScene.open();
      const request = required(name(scene.payment()));
      for (const outcome of [
        await scene.until(scene.facilitator.verify(request)),
        await scene.settled(request),
      ]) {
        assert.equal(rejectionOf(outcome)?.code, 'payment_identifier_required');
        assert.deepEqual(rejectionOf(outcome)?.known, openUntil(1_050));
      }
      assert.equal(scene.ledger.taken.size, 0);
      const named = required(identified(request, ID));
      assert.equal((await scene.settled(named)).status, 'settled');
    }
  });

  it('may be used again if its payment was never submitted', async () => {
    const scene = await ModelScene.open();
    const { send } = scene.network;
    scene.network.send = () =>
      Promise.reject(new RpcError('unreachable', 'sendTransaction', 'no connection'));
    await scene.settled(declared(identified(scene.payment(), ID)));
    scene.network.send = send;
    await scene.pass(1);
    const again = await scene.settled(declared(identified(scene.payment(), ID)));
    assert.equal(again.status, 'settled');
  });

  for (const [name, id] of [
    ['15 characters', 'a'.repeat(15)],
    ['129 characters', 'a'.repeat(129)],
    ['a space', `${'a'.repeat(16)} `],
    ['a character before the others that is not allowed', `.${'a'.repeat(16)}`],
  ] as const) {
    it(`of ${name} identifies nothing`, async () => {
      const scene = await ModelScene.open();
      const request = declared(identified(scene.payment(), id));
      await scene.settled(request);
      await scene.pass(1_000);
      const again = await scene.settled(request);
      assert.equal(rejectionOf(again)?.code, 'authorization_replayed');
    });
  }

  for (const id of ['a'.repeat(16), 'Z'.repeat(128)]) {
    it(`of ${id.length} characters identifies a sale`, async () => {
      const scene = await ModelScene.open();
      const request = declared(identified(scene.payment(), id));
      await scene.settled(request);
      await scene.pass(1_000);
      assert.equal((await scene.settled(request)).status, 'settled');
    });
  }
});

describe('M5: while an outcome is owed, the payload with another resource', () => {
  /** A payment whose caller left before it had the answer. */
  async function owed(request: (scene: ModelScene) => FacilitatorRequest) {
    const scene = await ModelScene.open();
    const paid = request(scene);
    let leave: (delivered: boolean) => void = () => {};
    const delivered = new Promise<boolean>((resolve) => {
      leave = resolve;
    });
    const settling = scene.settle(paid, { delivered });
    await scene.pass(100);
    leave(false);
    await scene.closing(settling);
    await scene.pass(100);
    return { scene, paid };
  }

  for (const [name, other] of [
    ['url', (paid) => forResource(paid, GOLD)],
    [
      'no url',
      (paid) => {
        const { resource: _, ...paymentPayload } = paid.paymentPayload;
        return { ...paid, paymentPayload };
      },
    ],
    ['method', (paid) => forResource(paid, WEATHER, { method: 'POST' })],
    [
      'method of its declared input',
      (paid) => ({
        ...paid,
        paymentPayload: {
          ...paid.paymentPayload,
          extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } },
        },
      }),
    ],
    [
      'tool',
      (paid) => ({
        ...paid,
        paymentPayload: {
          ...paid.paymentPayload,
          extensions: { bazaar: { info: { input: { type: 'mcp', toolName: 'gold' } } } },
        },
      }),
    ],
  ] satisfies [string, (paid: FacilitatorRequest) => FacilitatorRequest][]) {
    it(`(another ${name}) is refused as a replay, and the resource that was paid gets its outcome`, async () => {
      const { scene, paid } = await owed((at) => forResource(at.payment(), WEATHER));
      const verdict = await scene.until(scene.facilitator.verify(other(paid)));
      assert.equal(rejectionOf(verdict)?.code, 'authorization_replayed');
      const refused = await scene.settled(other(paid));
      assert.equal(rejectionOf(refused)?.code, 'authorization_replayed');
      assert.equal((await scene.until(scene.facilitator.verify(paid))).status, 'valid');
      assert.equal(hashOf(await scene.settled(paid)), scene.takenHash);
    });
  }

  it('is still the same request if only a description differs', async () => {
    const { scene, paid } = await owed((at) =>
      forResource(at.payment(), WEATHER, { description: 'Weather' }),
    );
    const again = forResource(paid, WEATHER, { description: 'The weather' });
    assert.equal(hashOf(await scene.settled(again)), scene.takenHash);
  });

  it('(under terms that differ) is refused by /verify too', async () => {
    const { scene, paid } = await owed((at) => forResource(at.payment(), WEATHER));
    const other = withExtra(paid, { areFeesSponsored: false });
    const verdict = await scene.until(scene.facilitator.verify(other));
    assert.equal(rejectionOf(verdict)?.code, 'authorization_replayed');
    assert.equal(rejectionOf(await scene.settled(other))?.code, 'authorization_replayed');
  });
});

describe('M5: an outcome that version 0.4.0 left owed', () => {
  it('is given to the identical request after an upgrade, and to no other resource', async () => {
    const first = await ModelScene.open();
    const request = forResource(first.payment(), WEATHER);
    await first.endAt('lookUp', request);
    const { paymentPayload, paymentRequirements } = request;
    const identity = JSON.stringify([paymentPayload.payload, paymentRequirements]);
    const digest = createHash('sha256').update(identity).digest('base64');
    await first.store.run('UPDATE settlements SET digest = ?', [digest]);
    const scene = await first.another();
    await scene.closing(scene.pass(10_000));
    const gold = forResource(request, GOLD);
    const verdict = await scene.until(scene.facilitator.verify(gold));
    assert.equal(rejectionOf(verdict)?.code, 'authorization_replayed');
    assert.equal(rejectionOf(await scene.settled(gold))?.code, 'authorization_replayed');
    assert.equal((await scene.until(scene.facilitator.verify(request))).status, 'valid');
    assert.equal(hashOf(await scene.settled(request)), first.takenHash);
    await scene.pass(1_000);
    assert.equal(rejectionOf(await scene.settled(request))?.code, 'authorization_replayed');
  });
});
