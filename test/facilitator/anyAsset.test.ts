import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { XLM_CONTRACT } from '../../src/protocol/index.ts';
import { balancesOf, openAccount } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { post } from '../support/post.ts';

describe('[spec: What the service does/9] Any asset of a resource can be settled', () => {
  let stack: LocalStack;

  before(async () => {
    stack = await startLocalStack();
  });
  after(() => stack.close());

  it('even one other than USDC: XLM, from a payer without a trustline', async () => {
    const [payer, seller] = [await openAccount(stack), await openAccount(stack)];
    const holds = async () => [
      (await balancesOf(stack, payer.address)).xlm,
      (await balancesOf(stack, seller.address)).xlm,
    ];
    const [payerBefore = 0n, sellerBefore = 0n] = await holds();
    const request = await freshPayment(stack, payer, seller, {
      asset: XLM_CONTRACT,
      requirements: { asset: XLM_CONTRACT },
    });
    const verified = await post(stack.facilitator.url, '/verify', request);
    assert.equal(verified.body.isValid, true, JSON.stringify(verified.body));
    const settled = await post(stack.facilitator.url, '/settle', request);
    assert.equal(settled.body.success, true, JSON.stringify(settled.body));
    // Not a stroop more than the price: the sponsor pays the fee, whatever the asset.
    assert.deepEqual(await holds(), [payerBefore - 100_000n, sellerBefore + 100_000n]);
  });
});
