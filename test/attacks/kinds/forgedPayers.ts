import type { FacilitatorRequest } from '../../../src/protocol/wire/index.ts';
import { freshNonce } from '../../support/freshPayment.ts';
import { accountSignature, type EntryParts } from '../../support/payment.ts';
import type { Attack, AttackTable } from '../attack.ts';
import { refusalOf } from '../wire.ts';
import type { World } from '../world.ts';

/** Requests that are sent together, each from an address of its own. */
const TOGETHER = 20;

/** Sixty-four bytes that nobody signed, beside the public key of the buyer. */
const garbage = ({ buyer }: World): EntryParts => ({
  signature: accountSignature({ ...buyer, sign: () => Buffer.alloc(64, 7) }, new Uint8Array(32)),
});

/** A payment in which somebody else names the buyer as the payer and the honest seller as the recipient. */
const inItsName = (world: World, entry: EntryParts): Promise<FacilitatorRequest> =>
  world.payment(world.buyer, world.payee, { entry });

/** Sends requests together and returns their answers, each once. */
export async function settledTogether(
  world: World,
  requests: readonly FacilitatorRequest[],
): Promise<string> {
  const answers = await Promise.all(
    requests.map((request) => world.post('/settle', request, world.newClient())),
  );
  return [...new Set(answers.map(refusalOf))].join(', ');
}

function forged(name: string, refused: string, entry: (world: World) => EntryParts): Attack<World> {
  return {
    name: `${TOGETHER} payments at once in the buyer’s name, ${name}`,
    refused,
    async run(world) {
      const making = Array.from({ length: TOGETHER }, () => inItsName(world, entry(world)));
      return settledTogether(world, await Promise.all(making));
    },
  };
}

/** Payments in the name of somebody who did not sign them. They take nothing that the named buyer needs. */
export const FORGED_PAYERS: AttackTable<World> = {
  kind: 'forged payers',
  attacks: [
    forged('with bytes as the signature', '200 signature_invalid', garbage),
    forged('signed by another key', '200 signature_invalid', ({ stranger }) => ({
      signer: stranger,
    })),
    forged('without a signature', '200 missing_payer_signature', () => ({ signer: null })),
    {
      name: 'the nonce of the buyer’s own payment, presented first with a forged signature',
      refused: '200 signature_invalid, then the buyer’s own settled',
      changes: ['settlements', 'ledger', 'sponsor'],
      async run(world) {
        const nonce = freshNonce();
        const copies = Array.from({ length: TOGETHER }, () =>
          inItsName(world, { nonce, ...garbage(world) }),
        );
        const refused = await settledTogether(world, await Promise.all(copies));
        const own = await inItsName(world, { nonce });
        const { text } = await world.post('/settle', own, world.newClient());
        const { success } = JSON.parse(text) as { success: boolean };
        return `${refused}, then the buyer’s own ${success ? 'settled' : text}`;
      },
    },
  ],
};
