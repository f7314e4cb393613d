import type { FacilitatorRequest } from '../../../src/protocol/wire/index.ts';
import type { TestKey } from '../../support/payer.ts';
import { testKey } from '../../support/payer.ts';
import type { AttackTable } from '../attack.ts';
import { refusalOf } from '../wire.ts';
import type { World } from '../world.ts';
import { settledTogether } from './forgedPayers.ts';

const TOGETHER = 20;

/** Accounts that do not exist. */
let payers = 0;

const many = <T>(make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: TOGETHER }, make));

/** A payment to the honest seller that is signed well by a payer without money. */
function withoutMoney(world: World, payer: TestKey): Promise<FacilitatorRequest> {
  return world.payment(payer, world.payee);
}

function fromNobody(world: World): Promise<FacilitatorRequest> {
  payers += 1;
  return withoutMoney(world, testKey(`nobody ${payers}`));
}

/** What settles nothing uses up nobody's limits: neither the recipient's, nor the resource's, nor those that all share. */
export const SPEND_COUNTERS: AttackTable<World> = {
  kind: 'spend counters',
  attacks: [
    {
      name: `${TOGETHER} payments at once to the honest seller by accounts that do not exist`,
      refused: '200 insufficient_funds',
      changes: ['settlements'],
      run: async (world) => settledTogether(world, await many(() => fromNobody(world))),
    },
    {
      name: 'the same from one address',
      refused: '200 insufficient_funds',
      changes: ['settlements'],
      async run(world) {
        const client = world.newClient();
        const requests = await many(() => fromNobody(world));
        const answers = await Promise.all(
          requests.map((request) => world.post('/settle', request, client)),
        );
        return [...new Set(answers.map(refusalOf))].join(', ');
      },
    },
    {
      name: 'the same for the honest seller’s resource, with a declaration',
      refused: '200 insufficient_funds',
      changes: ['settlements'],
      async run(world) {
        const requests = await many(() => fromNobody(world));
        const input = { type: 'http', method: 'GET', queryParams: {} };
        for (const { paymentPayload } of requests) {
          Object.assign(paymentPayload, {
            resource: { url: 'http://seller/paid' },
            extensions: { bazaar: { info: { input }, schema: { type: 'object' } } },
          });
        }
        return settledTogether(world, requests);
      },
    },
    {
      name: 'a stranger that pays itself 5 times at once, each from another address',
      refused: '200 no code',
      changes: ['settlements', 'ledger', 'sponsor'],
      async run(world) {
        const { stranger } = world;
        const own = () =>
          world.payment(stranger, stranger, { amount: 1n, requirements: { amount: '1' } });
        const requests = await Promise.all(Array.from({ length: 5 }, own));
        return settledTogether(world, requests);
      },
    },
  ],
};
