import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import {
  ConfigError,
  type FacilitatorOptions,
  type RunningFacilitator,
  startFacilitator,
} from '../../src/server/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

describe('[spec: Limits/Channel pool] Exactly 50 accounts, enforced at boot', () => {
  let local: LocalNetwork;
  let right: FacilitatorOptions;
  let secrets: string[];
  before(async () => {
    local = await startLocalNetwork();
    right = facilitatorOptions(local);
    secrets = local.ledger.accounts.channels.map(({ secret }) => secret);
  });
  after(() => local.close());

  async function refusal(list: readonly string[]): Promise<string> {
    try {
      await (await startFacilitator({ ...right, channels: { secrets: list } })).close();
    } catch (error) {
      assert.ok(error instanceof ConfigError, String(error));
      for (const secret of list) assert.ok(!error.message.includes(secret) || secret.length < 10);
      return error.message;
    }
    return assert.fail('it started');
  }
  const replaced = (at: number, by: string) => secrets.map((one, i) => (i === at ? by : one));

  it('49 refuse to start, with their number and the advice to add one', async () => {
    assert.match(
      await refusal(secrets.slice(1)),
      /has 49 accounts and must have exactly 50: add 1/,
    );
  });

  it('51 refuse to start, with the advice to remove one', async () => {
    const more = [...secrets, right.sponsorSecret];
    assert.match(await refusal(more), /has 51 accounts and must have exactly 50: remove 1/);
  });

  it('a duplicate refuses to start: it says which', async () => {
    const [first = ''] = secrets;
    assert.match(await refusal(replaced(7, first)), /Channel 8 repeats channel 1 \(G\w{55}\)/);
  });

  it('the sponsor among them refuses to start: it says which', async () => {
    const problem = await refusal(replaced(49, right.sponsorSecret));
    assert.match(problem, /Channel 50 is the sponsor \(G\w{55}\).*never in the pool, replace it/);
  });

  it('a malformed key refuses to start: it says which, and not the key', async () => {
    const [first = ''] = secrets;
    const malformed = `${first.slice(0, 55)}${first.endsWith('A') ? 'B' : 'A'}`;
    assert.match(await refusal(replaced(2, malformed)), /Channel 3 is malformed: replace it/);
  });
});

describe('When all 50 channels are busy', () => {
  let local: LocalNetwork;
  let facilitator: RunningFacilitator;
  let payer: TestKey;
  let seller: TestKey;
  before(async () => {
    local = await startLocalNetwork();
    payer = await openPayer(local, 1_000_000_000n);
    seller = await openSeller(local);
  });
  after(async () => {
    await facilitator.close();
    await local.close();
  });

  const payments = (count: number): Promise<FacilitatorRequest[]> =>
    Promise.all(Array.from({ length: count }, () => freshPayment(local, payer, seller)));

  async function free(): Promise<number> {
    const answer = await fetch(`${facilitator.url}/health`);
    return ((await answer.json()) as { channels: { free: number } }).channels.free;
  }

  it('[spec: Settlement path/2] settlements wait a limited time, and are then refused as never submitted', async () => {
    facilitator = await startFacilitator({
      ...facilitatorOptions(local),
      channelWaitMs: 3_000,
      payerInFlight: 50,
    });
    const before = (await balancesOf(local, seller.address)).usdc;
    const another = await openPayer(local);
    // Nothing is decided, so that no channel comes back.
    await local.ledger.control('svc_setCloseMode', { mode: 'manual' });
    const first = await payments(50);
    const late = await freshPayment(local, another, seller);
    const lent = first.map((request) => post(facilitator.url, '/settle', request));
    while ((await free()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));

    const refused = await post(facilitator.url, '/settle', late);
    assert.equal(refused.body.success, false);
    assert.equal(refused.body.transaction, '');
    assert.equal(refused.body.reason, 'channels_busy');
    assert.equal(refused.body.errorReason, 'settle_exact_stellar_transaction_submission_failed');

    await local.ledger.control('svc_setCloseMode', { mode: 'demand' });
    const settled = await Promise.all(lent);
    assert.ok(settled.every(({ body }) => body.success === true));
    assert.equal(await free(), 50);
    // Refused as never submitted, it may be presented again.
    assert.equal((await post(facilitator.url, '/settle', late)).body.success, true);
    assert.equal((await balancesOf(local, seller.address)).usdc - before, 51n * 100_000n);
  });

  it('[spec: Settlement path/5] a channel is released on every exit path', async () => {
    const broken = await payments(60);
    const ways: ((request: FacilitatorRequest) => FacilitatorRequest)[] = [
      (request) => request,
      (request) => ({
        ...request,
        paymentRequirements: { ...request.paymentRequirements, amount: '1' },
      }),
    ];
    const answers = await Promise.all(
      broken.map((request, i) =>
        post(facilitator.url, '/settle', ways[i % ways.length]?.(request) ?? request),
      ),
    );
    assert.equal(answers.filter(({ body }) => body.success === true).length, 30);
    assert.equal(await free(), 50);
  });
});

describe('The sponsor', () => {
  let local: LocalNetwork;
  before(async () => {
    local = await startLocalNetwork();
  });
  after(() => local.close());

  it('pays what the ledger charges, and the reservation is replaced with the actual charge', async () => {
    const facilitator = await startFacilitator(facilitatorOptions(local));
    const [payer, seller] = [await openPayer(local), await openSeller(local)];
    const sponsor = async () =>
      (
        (await (await fetch(`${facilitator.url}/health`)).json()) as {
          sponsor: { address: string; balance: string | null; reserved: string };
        }
      ).sponsor;
    const { address } = await sponsor();
    for (let i = 0; i < 3; i++) {
      const request = await freshPayment(local, payer, seller);
      assert.equal((await post(facilitator.url, '/settle', request)).body.success, true);
      const { balance, reserved } = await sponsor();
      assert.equal(reserved, '0');
      assert.equal(BigInt(balance ?? 0), (await balancesOf(local, address)).xlm);
    }
    await facilitator.close();
  });

  it('[spec: Settlement path/1] has a hard floor: a payment that would go below is refused, others settle', async () => {
    const { sponsor } = local.ledger.accounts;
    const [payer, seller] = [await openPayer(local), await openSeller(local)];
    const { xlm } = await balancesOf(local, sponsor.address);
    // One settlement may cost up to 500,000 stroops.
    const options = { ...facilitatorOptions(local), sponsorFloorStroops: xlm - 500_000n };
    const facilitator = await startFacilitator(options);
    const settle = async () =>
      post(facilitator.url, '/settle', await freshPayment(local, payer, seller));
    assert.equal((await settle()).body.success, true);
    const refused = await settle();
    assert.equal(refused.status, 503);
    assert.equal(refused.body.reason, 'sponsor_balance_low');
    await facilitator.close();
  });
});
