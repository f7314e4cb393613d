import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';

interface Settled {
  readonly success: boolean;
  readonly transaction: string;
  readonly errorReason: string | null;
}

describe('Many settlements at once', () => {
  let stack: LocalStack;
  let payers: TestKey[];
  let seller: TestKey;

  before(async () => {
    stack = await startLocalStack();
    seller = await openSeller(stack);
    payers = [];
    for (let i = 0; i < 4; i++) payers.push(await openPayer(stack, 100_000_000n));
  });
  after(() => stack.close());

  async function settle(request: FacilitatorRequest): Promise<Settled> {
    const response = await fetch(`${stack.facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return (await response.json()) as Settled;
  }

  async function health() {
    const response = await fetch(`${stack.facilitator.url}/health`);
    return (await response.json()) as {
      channels: { total: number; free: number };
      sponsor: { reserved: string };
    };
  }

  it('[spec: Limits/Channel pool] [spec: Settlement path/2] 120 payments over 50 channels all settle, each once', async () => {
    const start = (await balancesOf(stack, seller.address)).usdc;
    const latest = await stack.network.getLatestLedger();
    const requests = await Promise.all(
      Array.from({ length: 120 }, (_, i) => {
        const payer = payers[i % payers.length];
        assert.ok(payer);
        return freshPayment(stack, payer, seller, {
          entry: { expirationLedger: latest + 400 },
          requirements: { maxTimeoutSeconds: 3_600 },
        });
      }),
    );
    const settled = await Promise.all(requests.map(settle));
    const failures = settled.filter(({ success }) => !success);
    assert.deepEqual(failures, []);
    assert.equal(new Set(settled.map(({ transaction }) => transaction)).size, 120);
    const end = (await balancesOf(stack, seller.address)).usdc;
    assert.equal(end - start, 120n * 100_000n);
  });

  it('the same payment ten times at once settles once', async () => {
    const [payer] = payers;
    assert.ok(payer);
    const start = (await balancesOf(stack, seller.address)).usdc;
    const request = await freshPayment(stack, payer, seller);
    const settled = await Promise.all(Array.from({ length: 10 }, () => settle(request)));
    const [told, ...others] = settled.filter(({ success }) => success);
    assert.ok(told);
    assert.equal(others.length, 0);
    for (const { success, errorReason, transaction } of settled) {
      if (success) continue;
      assert.equal(errorReason, 'invalid_exact_stellar_payload_authorization_replayed');
      assert.equal(transaction, told.transaction);
    }
    const end = (await balancesOf(stack, seller.address)).usdc;
    assert.equal(end - start, 100_000n);
  });

  it('at rest every channel is free and nothing is reserved', async () => {
    const { channels, sponsor } = await health();
    assert.deepEqual(channels, { total: 50, free: 50 });
    assert.equal(sponsor.reserved, '0');
  });
});
