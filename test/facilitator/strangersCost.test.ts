import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { CONFIG_DEFAULTS } from '../../src/server/config.ts';
import { type FacilitatorOptions, startFacilitator } from '../../src/server/index.ts';
import { Chain } from '../policies/support/chain.ts';
import { exactPayment } from '../policies/support/exactPayment.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import { USDC } from '../support/payment.ts';
import { post } from '../support/post.ts';

/** How often the check of the account counts down. */
const ROUNDS = 2_500_000;
const REQUESTS_A_MINUTE = 60;

const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const section = (id: number, content: readonly number[]) => [id, ...sized(content)];

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(Math.floor(value / 128))];
}

function signed(value: number): number[] {
  const fits = value >= -64 && value < 64;
  return fits ? [value & 127] : [(value & 127) | 128, ...signed(Math.floor(value / 128))];
}

/** An account whose `__check_auth` burns instructions and then agrees to everything. */
function burningAccount(rounds: number) {
  const body = [
    ...[1, 1, 0x7f],
    ...[0x41, ...signed(rounds), 0x21, 3],
    // The loop: subtract one, and repeat until nothing is left.
    ...[0x03, 0x40, 0x20, 3, 0x41, 1, 0x6b, 0x22, 3, 0x0d, 0, 0x0b],
    // Void.
    ...[0x42, 2, 0x0b],
  ];
  const wasm = Buffer.from([
    ...Buffer.from('0061736d01000000', 'hex'),
    ...section(1, [1, 0x60, 3, 0x7e, 0x7e, 0x7e, 1, 0x7e]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...sized([...Buffer.from('__check_auth')]), 0, 0]),
    ...section(10, [1, ...sized(body)]),
    ...section(0, [
      ...sized([...Buffer.from('contractenvmetav0')]),
      ...Buffer.from('000000000000001b00000000', 'hex'),
    ]),
  ]);
  return { wasm, hash: createHash('sha256').update(wasm).digest() };
}

describe('What one funded stranger costs the sponsor in a minute', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let account: Awaited<ReturnType<Chain['deploy']>>;

  before(async () => {
    local = await startLocalNetwork();
    const funder = await openPayer(local, 100_000_000n);
    chain = new Chain(local, funder);
    account = await chain.deploy(burningAccount(ROUNDS));
    const address = (value: Parameters<typeof toScAddress>[0]) =>
      xdr.ScVal.scvAddress(toScAddress(value));
    await chain.call(USDC, 'transfer', [
      address(funder.address),
      address(account),
      toI128(10_000_000n),
    ]);
  });
  after(() => local.close());

  /** Sends as many payments as a minute allows at once, and returns what the sponsor lost and what settled. */
  async function minute(options: Partial<FacilitatorOptions>) {
    const { rateLimitPerMinute: _, ...rest } = facilitatorOptions(local);
    const facilitator = await startFacilitator({ ...rest, trustedProxyHops: 1, ...options });
    try {
      const sponsor = async () =>
        (await balancesOf(local, local.ledger.accounts.sponsor.address)).xlm;
      const { address: payTo } = await openSeller(local);
      const before = await sponsor();
      let settled = 0;
      let refused = '';
      for (let sent = 0; sent < REQUESTS_A_MINUTE + 5; sent++) {
        const request = await exactPayment(chain, { from: account, payTo, amount: 1n }, async () =>
          xdr.ScVal.scvU32(1),
        );
        const from = { 'x-forwarded-for': '203.0.113.5' };
        const { body } = await post(facilitator.url, '/settle', request, from);
        if (body.success) settled += 1;
        else refused ||= `${body.reason} ${body.errorMessage}`;
        if (body.reason === 'rate_limited') break;
      }
      const lost = before - (await sponsor());
      const payer = await openPayer(local);
      const honest = await freshPayment(local, payer, await openSeller(local));
      const other = { 'x-forwarded-for': '203.0.113.6' };
      const { body } = await post(facilitator.url, '/settle', honest, other);
      return { lost, settled, refused, honest: body.success };
    } finally {
      await facilitator.close();
    }
  }

  it('is bounded by its requests and the fee ceiling by default, and by its budget if limits refuse', async (t) => {
    const open = await minute({});
    t.diagnostic(`by default: ${open.lost} stroops in ${open.settled} payments`);
    assert.ok(open.settled > 0, open.refused);
    assert.ok(open.lost <= 500_000n * BigInt(REQUESTS_A_MINUTE), `${open.lost}`);
    const budget = 10_000_000n;
    const spendControls = {
      ...CONFIG_DEFAULTS.spendControls,
      ...{ enforced: true, clientFeesPerMinuteStroops: budget },
    };
    const refusing = await minute({ spendControls });
    t.diagnostic(`refusing: ${refusing.lost} stroops in ${refusing.settled} payments`);
    assert.ok(refusing.settled > 0 && refusing.lost <= budget, `${refusing.lost}`);
    assert.equal(refusing.honest, true);
  });
});
