import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { toScAddress } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { freshNonce, freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { paymentRequest } from '../support/payment.ts';
import { deploySmartAccount } from '../support/smartAccount.ts';

type Body = Record<string, unknown>;

describe('A contract pays (a smart account, governed by its __check_auth)', () => {
  let stack: LocalStack;
  let owner: TestKey;
  let seller: TestKey;

  before(async () => {
    stack = await startLocalStack();
    owner = await openPayer(stack);
    seller = await openSeller(stack);
  });
  after(() => stack.close());

  async function post(path: string, request: FacilitatorRequest): Promise<Body> {
    const response = await fetch(stack.facilitator.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return (await response.json()) as Body;
  }

  async function fundedAccount(behaviour: 'allows' | 'refuses'): Promise<ContractAddress> {
    const account = await deploySmartAccount(stack, owner, behaviour);
    const to = toScAddress(account);
    const funding = await freshPayment(stack, owner, seller, {
      to,
      amount: 1_000_000n,
      requirements: { payTo: account, amount: '1000000' },
    });
    assert.equal((await post('/settle', funding))['success'], true);
    return account;
  }

  async function payment(account: ContractAddress, signature: xdr.ScVal) {
    const expirationLedger = (await stack.network.getLatestLedger()) + 50;
    return paymentRequest({
      from: account,
      to: toScAddress(seller.address),
      fee: 400_000,
      entries: [{ by: account, signature, nonce: freshNonce(), expirationLedger }],
      requirements: { payTo: seller.address },
    });
  }

  it('[spec: What the service does/2.5] whose __check_auth agrees', async () => {
    const account = await fundedAccount('allows');
    const request = await payment(account, xdr.ScVal.scvBytes(new Uint8Array(4)));
    assert.deepEqual(await post('/verify', request), { isValid: true, payer: account });
    const settled = await post('/settle', request);
    assert.equal(settled['success'], true);
    assert.equal(settled['payer'], account);
  });

  it('[spec: Authentication/Policy refusal] [spec: What the service does/2.5] whose policy refuses: the payment is refused, with the reason of the host', async () => {
    const account = await fundedAccount('refuses');
    const request = await payment(account, xdr.ScVal.scvBytes(new Uint8Array(4)));
    const verified = await post('/verify', request);
    assert.equal(verified['isValid'], false);
    assert.equal(verified['reason'], 'spending_policy_refused');
    assert.equal(verified['errorReason'], 'invalid_exact_stellar_payload_simulation_failed');
  });
});
