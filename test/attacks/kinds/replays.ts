import type { FacilitatorRequest, PaymentRequirements } from '../../../src/protocol/wire/index.ts';
import { freshNonce } from '../../support/freshPayment.ts';
import { identified } from '../../support/namedSale.ts';
import { OTHER_ASSET } from '../../support/payment.ts';
import type { Attack, AttackTable, Thing } from '../attack.ts';
import { refusalOf } from '../wire.ts';
import type { World } from '../world.ts';

const OWN_MONEY = ['settlements', 'ledger', 'sponsor'] as const satisfies readonly Thing[];

/** A payment of the stranger to the victim, which nobody has settled. */
const fresh = (world: World) => world.payment(world.stranger, world.victim);

/** The same authorization, presented under other terms. */
function underTerms(
  request: FacilitatorRequest,
  terms: Partial<PaymentRequirements>,
  both = true,
): FacilitatorRequest {
  const paymentRequirements = { ...request.paymentRequirements, ...terms };
  const accepted = both
    ? { ...request.paymentPayload.accepted, ...terms }
    : request.paymentPayload.accepted;
  return {
    ...request,
    paymentRequirements,
    paymentPayload: { ...request.paymentPayload, accepted },
  };
}

/** An authorization that was signed for other terms than it is presented under. */
function changed(
  name: string,
  refused: string,
  terms: (world: World) => Partial<PaymentRequirements>,
  both = true,
): Attack<World> {
  return {
    name: `an authorization presented ${name}`,
    refused,
    run: async (world) =>
      refusalOf(await world.post('/settle', underTerms(await fresh(world), terms(world), both))),
  };
}

/** Settles once by right, and then tries again. */
function again(
  name: string,
  refused: string,
  replay: (world: World, settled: FacilitatorRequest) => Promise<string>,
): Attack<World> {
  return {
    name: `an authorization that settled, ${name}`,
    refused,
    changes: OWN_MONEY,
    async run(world) {
      const request = await fresh(world);
      const { text } = await world.post('/settle', request);
      const { success } = JSON.parse(text) as { success: boolean };
      return success ? replay(world, request) : `not settled at all: ${text}`;
    },
  };
}

const ID = 'sale-of-the-attack-suite';
const UNDECLARED_ID = 'sale-of-a-thrifty-stranger';

/** Authorizations that are good once, for one thing. */
export const REPLAYS: AttackTable<World> = {
  kind: 'replays',
  attacks: [
    again('again', '200 authorization_replayed', async (world, request) =>
      refusalOf(await world.post('/settle', request)),
    ),
    again('verified again', '200 authorization_replayed', async (world, request) =>
      refusalOf(await world.post('/verify', request)),
    ),
    again(
      'to another instance that keeps its own book',
      '200 authorization_replayed',
      async (world, request) => refusalOf(await world.other.post('/settle', request)),
    ),
    again('under another resource', '200 authorization_replayed', async (world, request) => {
      const resource = { url: 'https://api.squatter.dev/other' };
      const paymentPayload = { ...request.paymentPayload, resource };
      return refusalOf(await world.post('/settle', { ...request, paymentPayload }));
    }),
    again('under a longer time', '200 authorization_replayed', async (world, request) =>
      refusalOf(await world.post('/settle', underTerms(request, { maxTimeoutSeconds: 301 }))),
    ),
    again(
      'ten times at once, at both instances',
      '0 of 20 moved money again',
      async (world, request) => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 === 0 ? world : world.other).post('/settle', request),
          ),
        );
        const moved = answers.filter(
          ({ text }) => (JSON.parse(text) as { success: boolean }).success,
        );
        return `${moved.length} of 20 moved money again`;
      },
    ),
    changed('for ten times the amount', '200 wrong_amount', () => ({ amount: '1000000' })),
    changed('for a tenth of the amount', '200 wrong_amount', () => ({ amount: '10000' })),
    changed('to another recipient', '200 wrong_recipient', ({ stranger }) => ({
      payTo: stranger.address,
    })),
    changed('in another asset', '200 wrong_asset', () => ({ asset: OTHER_ASSET })),
    changed('on another network', '200 invalid_network', () => ({ network: 'stellar:pubnet' })),
    changed('under another scheme', '200 unsupported_scheme', () => ({ scheme: 'permit' })),
    changed(
      'under terms that the buyer has not accepted',
      '200 wrong_amount',
      () => ({ amount: '1' }),
      false,
    ),
    {
      name: 'an authorization with a signature of somebody else',
      refused: '200 signature_invalid',
      run: async (world) =>
        refusalOf(
          await world.post(
            '/settle',
            await world.payment(world.stranger, world.victim, { entry: { signer: world.victim } }),
          ),
        ),
    },
    {
      name: 'an authorization without a signature',
      refused: '200 missing_payer_signature',
      run: async (world) =>
        refusalOf(
          await world.post(
            '/settle',
            await world.payment(world.stranger, world.victim, { entry: { signer: null } }),
          ),
        ),
    },
    {
      name: 'an authorization that is good for a year',
      refused: '200 signature_expiration_too_far',
      run: async (world) =>
        refusalOf(
          await world.post(
            '/settle',
            await world.payment(world.stranger, world.victim, {
              entry: { expirationLedger: 6_000_000 },
            }),
          ),
        ),
    },
    {
      name: 'two authorizations with one nonce at once',
      refused: '1 settled',
      changes: OWN_MONEY,
      async run(world) {
        const nonce = freshNonce();
        const one = await world.payment(world.stranger, world.victim, { entry: { nonce } });
        const two = await world.payment(world.stranger, world.victim, {
          entry: { nonce },
          amount: 100_001n,
          requirements: { amount: '100001' },
        });
        const answers = await Promise.all(
          [one, two].map((request) => world.post('/settle', request)),
        );
        const settled = answers.filter(
          ({ text }) => (JSON.parse(text) as { success: boolean }).success,
        );
        return `${settled.length} settled`;
      },
    },
    {
      name: 'the payment-identifier of a sale that settled, under another payment',
      refused: '200 payment_identifier_conflict',
      changes: OWN_MONEY,
      async run(world) {
        await world.post('/settle', identified(await fresh(world), ID));
        const more = await world.payment(world.stranger, world.victim, {
          amount: 100_001n,
          requirements: { amount: '100001' },
        });
        return refusalOf(await world.post('/settle', identified(more, ID)));
      },
    },
    {
      name: 'one payment 50 times, on two routes and at two instances, with a payment-identifier that no seller declared',
      refused: '1 of 50 served',
      changes: OWN_MONEY,
      async run(world) {
        const request = identified(await fresh(world), UNDECLARED_ID);
        let served = 0;
        for (let n = 0; n < 50; n++) {
          const resource = { url: `https://api.victim.dev/${n % 4 < 2 ? 'weather' : 'gold'}` };
          const paymentPayload = { ...request.paymentPayload, resource };
          const { text } = await (n % 2 === 0 ? world : world.other).post('/settle', {
            ...request,
            paymentPayload,
          });
          if ((JSON.parse(text) as { success: boolean }).success) served += 1;
        }
        return `${served} of 50 served`;
      },
    },
    ...(
      [
        ['with a statement of SQL', "x'; DROP TABLE settlements; --"],
        ['as an object', { $ne: null }],
        ['of 10 kB', 'a'.repeat(10_000)],
      ] as const
    ).map(
      ([name, id]): Attack<World> => ({
        name: `a payment-identifier ${name}`,
        refused: 'settled once, under no name',
        changes: OWN_MONEY,
        async run(world) {
          const { text } = await world.post('/settle', identified(await fresh(world), id));
          const { success } = JSON.parse(text) as { success: boolean };
          const rows = await world.database.all<{ payment_id: string }>(
            'SELECT payment_id FROM settlements WHERE payment_id IS NOT NULL',
          );
          const wellFormed = new Set([ID, UNDECLARED_ID]);
          const isKept = rows.some(({ payment_id }) => !wellFormed.has(payment_id));
          return success && !isKept ? 'settled once, under no name' : text;
        },
      }),
    ),
  ],
};
