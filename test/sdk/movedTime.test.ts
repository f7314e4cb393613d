import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../src/protocol/index.ts';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { startLocalStack } from '../support/localStack.ts';
import { USDC } from '../support/payment.ts';

const PRICE = 100_000n;
const SELLER = 'http://seller.test';

describe('A payment after the time was moved forward', () => {
  it('settles, whatever clock time bounds are compared with', async () => {
    const stack = await startLocalStack();
    try {
      const [payer, payTo] = await Promise.all([openPayer(stack), openSeller(stack)]);
      const accepted = {
        scheme: 'exact',
        network: 'stellar:testnet',
        asset: USDC,
        amount: `${PRICE}`,
        payTo: payTo.address,
        maxTimeoutSeconds: 60,
        extra: { areFeesSponsored: true },
      };
      /** A seller that settles by the facilitator. */
      const seller: typeof fetch = async (input, init) => {
        const request = new Request(input, init);
        if (!request.url.startsWith(SELLER)) return fetch(request);
        const payment = request.headers.get('PAYMENT-SIGNATURE');
        if (payment === null) {
          const required = encodeHeaderMessage({ x402Version: 2, accepts: [accepted] });
          return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
        }
        const paymentPayload = decodeHeaderMessage(payment);
        const answer = await fetch(`${stack.facilitator.url}/settle`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: accepted }),
        });
        const settled = (await answer.json()) as { readonly success: boolean };
        const headers = { 'PAYMENT-RESPONSE': encodeHeaderMessage(settled) };
        return new Response(null, { status: settled.success ? 200 : 402, headers });
      };
      const pay = createX402Fetch({
        signer: accountSigner(payer.address, payer.sign),
        rpcUrl: stack.rpcUrl,
        allowedAssets: [USDC],
        fetch: seller,
      });
      const before = (await balancesOf(stack, payTo.address)).usdc;
      await stack.ledger.control('svc_advanceTime', { seconds: 86_400 });
      for (const by of ['network', 'clock'] as const) {
        await stack.ledger.control('svc_setTimeBounds', { by });
        assert.equal((await pay(`${SELLER}/goods`)).status, 200, by);
      }
      const after = (await balancesOf(stack, payTo.address)).usdc;
      assert.equal(after - before, 2n * PRICE);
    } finally {
      await stack.close();
    }
  });
});
