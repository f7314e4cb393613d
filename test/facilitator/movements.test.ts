import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseSettlementHash, USDC_CONTRACT } from '../../src/protocol/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { post } from '../support/post.ts';

describe('a settled payment on the ledger', () => {
  let stack: LocalStack;
  before(async () => {
    stack = await startLocalStack();
  });
  after(() => stack.close());

  it('reports the movement of the amount from buyer to seller, and no other', async () => {
    const [payer, seller] = await Promise.all([openPayer(stack), openSeller(stack)]);
    const request = await freshPayment(stack, payer, seller);
    const { body } = await post(stack.facilitator.url, '/settle', request);
    assert.equal(body.success, true, JSON.stringify(body));
    const hash = parseSettlementHash(body.transaction ?? '');
    assert.ok(hash);
    const found = await stack.network.lookUp(hash);
    assert.equal(found.status, 'SUCCESS');
    assert.deepEqual(found.movements, [
      {
        asset: USDC_CONTRACT,
        from: payer.address,
        to: seller.address,
        amount: BigInt(body.amount ?? '0'),
      },
    ]);
  });
});
