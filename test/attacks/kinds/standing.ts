import type { FacilitatorRequest } from '../../../src/protocol/wire/index.ts';
import { openSeller } from '../../support/accounts.ts';
import { freshUpto } from '../../upto/uptoPayment.ts';
import type { Attack, AttackTable } from '../attack.ts';
import { VICTIM_URL } from '../victim.ts';
import { refusalOf } from '../wire.ts';
import { catalogOutcome, type World } from '../world.ts';

const OWN_MONEY = ['settlements', 'ledger', 'sponsor'] as const;

/** A payment of `upto` by the stranger, whose seller charges this much of it. */
async function charged(world: World, actualAmount: unknown): Promise<FacilitatorRequest> {
  const request = await freshUpto(world.local, world.stranger, world.victim, {
    terms: { maxAmount: 100_000n },
    requirements: { amount: '100000' },
  });
  const { paymentRequirements } = request;
  const extra = { ...paymentRequirements.extra, actualAmount };
  return { ...request, paymentRequirements: { ...paymentRequirements, extra } };
}

function declared(request: FacilitatorRequest, url: string): FacilitatorRequest {
  const input = { type: 'http', method: 'GET', queryParams: {} };
  Object.assign(request.paymentPayload, {
    resource: { url },
    extensions: { bazaar: { info: { input }, schema: { type: 'object' } } },
  });
  return request;
}

function charges(name: string, actualAmount: unknown, refused: string): Attack<World> {
  return {
    name: `upto: a seller that charges ${name}`,
    refused,
    run: async (world) =>
      refusalOf(await world.post('/settle', await charged(world, actualAmount))),
  };
}

async function trustOf(world: World): Promise<string> {
  const path = `/discovery/resources?limit=100&payTo=${world.victim.address}`;
  const { items } = JSON.parse((await world.service({ path })).text) as {
    items: readonly { readonly trust: object }[];
  };
  return JSON.stringify(items.map(({ trust }) => trust));
}

/** A place in the catalog without a payment. */
export const STANDING: AttackTable<World> = {
  kind: 'standing',
  attacks: [
    {
      name: 'upto: a payer without USDC settles zero, and the sponsor pays',
      refused: '200 upto_insufficient_funds',
      // An account for it is opened first.
      changes: ['ledger'],
      async run(world) {
        const poor = await openSeller(world.local);
        const request = await freshUpto(world.local, poor, world.victim);
        const { paymentRequirements } = request;
        const extra = { ...paymentRequirements.extra, actualAmount: '0' };
        return refusalOf(
          await world.post('/settle', {
            ...request,
            paymentRequirements: { ...paymentRequirements, extra },
          }),
        );
      },
    },
    {
      name: 'upto: a settlement of zero for a URL of its own, five times',
      refused: 'settled, not listed',
      changes: OWN_MONEY,
      async run(world) {
        const url = 'https://api.squatter.dev/nothing';
        for (let n = 0; n < 5; n += 1) {
          const answered = await world.post('/settle', declared(await charged(world, '0'), url));
          const { success } = JSON.parse(answered.text) as { success: boolean };
          if (!success || catalogOutcome(answered) !== 'binding_refused') return answered.text;
        }
        const { text } = await world.service({ path: '/discovery/resources?limit=100' });
        return text.includes(url) ? 'listed' : 'settled, not listed';
      },
    },
    {
      name: 'upto: a settlement of zero to the victim, for the victim’s URL',
      refused: 'settled, no count of the victim’s changed',
      changes: OWN_MONEY,
      async run(world) {
        const before = await trustOf(world);
        const request = await charged(world, '0');
        const { text } = await world.post('/settle', declared(request, VICTIM_URL));
        const { success } = JSON.parse(text) as { success: boolean };
        if (!success) return text;
        const isSame = (await trustOf(world)) === before;
        return isSame ? 'settled, no count of the victim’s changed' : 'counted';
      },
    },
    {
      name: 'exact: a settlement of zero for a URL of its own',
      refused: 'settled, not listed',
      changes: OWN_MONEY,
      async run(world) {
        const url = 'https://api.squatter.dev/zero';
        const request = await world.payment(world.stranger, world.stranger, {
          amount: 0n,
          requirements: { amount: '0' },
        });
        const answered = await world.post('/settle', declared(request, url));
        if (catalogOutcome(answered) !== 'binding_refused') return answered.text;
        const { text } = await world.service({ path: '/discovery/resources?limit=100' });
        return text.includes(url) ? 'listed' : 'settled, not listed';
      },
    },
    charges('null', null, '200 upto_actual_amount_malformed'),
    charges('NaN as a text', 'NaN', '200 upto_actual_amount_malformed'),
    charges('an exponent', '1e3', '200 upto_actual_amount_malformed'),
    charges('less than nothing', '-1', '200 upto_actual_amount_malformed'),
    charges('more than the ceiling', '100001', '200 upto_actual_exceeds_ceiling'),
    charges('a number instead of a text', 1_000, '200 upto_actual_amount_malformed'),
    charges('an object', { valueOf: 1 }, '200 upto_actual_amount_malformed'),
  ],
};
