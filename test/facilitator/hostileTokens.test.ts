import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  TOKEN_TURNS,
  type TokenTurn,
  turningToken,
} from '../../network/test/helpers/testContract.ts';
import { type AuthorizationFate, readFate } from '../../src/protocol/fate/index.ts';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { connectRpc, fetchTransport } from '../../src/sdk/exact/index.ts';
import { type RunningFacilitator, startFacilitator } from '../../src/server/index.ts';
import { Chain } from '../policies/support/chain.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/faultyRpc.ts';
import { freshNonce, freshPayment } from '../support/freshPayment.ts';
import { facilitatorOptions, type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { post } from '../support/post.ts';

const PROTOCOL = 27;
const AMOUNT = 100_000n;
/** Ledgers that a deployment and two simulations take at most, and those that pass before the payment is included. */
const [HONEST_LEDGERS, LATER] = [6, 8];

/** What may be said of a payment: the answer's reason, what moved and how much arrived, and the fate that the SDK reads. */
interface Said {
  readonly reason: string | undefined;
  readonly moneyMoved: string | undefined;
  readonly amount?: string;
  readonly fate: AuthorizationFate['state'];
}

const SETTLED = { reason: undefined, moneyMoved: undefined, fate: 'paid' } as const;
/** The transaction succeeded, and nothing shows that anything arrived. */
const NOTHING_SHOWN = { reason: 'paid_less', moneyMoved: 'unknown', fate: 'unknown' } as const;

const EXPECTED: Readonly<Record<TokenTurn, Said>> = {
  silent: NOTHING_SHOWN,
  to_itself: NOTHING_SHOWN,
  backwards: NOTHING_SHOWN,
  false_and_silent: NOTHING_SHOWN,
  short: { reason: 'paid_less', moneyMoved: 'yes', amount: '1', fate: 'paid' },
  twice: { ...SETTLED, amount: '200000' },
  // What it reports counts, and its return value says nothing.
  returns_false: { ...SETTLED, amount: '100000' },
  reenters: { ...SETTLED, amount: '100000' },
  // A failed transaction uses no nonce: the authorization can still pay.
  traps: { reason: 'transaction_failed', moneyMoved: 'not_yet', fate: 'open' },
};

describe('A token that changes between the simulation and the ledger', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let rpc: FaultyRpc;
  let facilitator: RunningFacilitator;
  let seller: TestKey;
  before(async () => {
    local = await startLocalNetwork();
    chain = new Chain(local, await openAccount(local));
    seller = await openSeller(local);
    rpc = await startFaultyRpc(local.rpcUrl);
    facilitator = await startFacilitator({ ...facilitatorOptions(local), rpcUrl: rpc.url });
  });
  after(async () => {
    await facilitator.close();
    await rpc.close();
    await local.close();
  });

  for (const turn of TOKEN_TURNS) {
    it(`${turn}: is said to have paid only what the ledger shows`, async () => {
      const payer = await openPayer(local);
      const until = (await chain.latestLedger()) + HONEST_LEDGERS;
      const wasm = turningToken(PROTOCOL, { until, turn });
      const hash = createHash('sha256').update(wasm).digest();
      const asset: ContractAddress = await chain.deploy({ wasm, hash });
      const nonce = freshNonce();
      const signedLedger = await chain.latestLedger();
      const request = await freshPayment(local, payer, seller, {
        asset,
        amount: AMOUNT,
        entry: { nonce, expirationLedger: signedLedger + 50 },
        requirements: { asset, amount: `${AMOUNT}`, maxTimeoutSeconds: 300 },
      });
      const verified = await post(facilitator.url, '/verify', request);
      assert.equal(verified.body.isValid, true, JSON.stringify(verified.body));
      // The service sends it, and it is included some ledgers later.
      let passed: Promise<void> | undefined;
      rpc.hold((method) => {
        if (method !== 'sendTransaction') return undefined;
        passed ??= chain.passLedgers(LATER);
        return passed;
      });
      const { body } = await post(facilitator.url, '/settle', request);
      rpc.hold(() => undefined);
      assert.ok((await chain.latestLedger()) > until, 'the token had turned');
      const transfer = {
        ...{ asset, from: payer.address, to: seller.address, amount: AMOUNT },
        ...{ nonce, expirationLedger: signedLedger + 50, firstLedger: signedLedger },
      };
      const fate = await readFate(transfer, connectRpc(local.rpcUrl, fetchTransport(fetch)));
      const { reason, moneyMoved, amount, fate: expected } = EXPECTED[turn];
      assert.deepEqual(
        {
          reason: body.success === true ? undefined : body.reason,
          moneyMoved: body.extra?.moneyMoved,
          amount: amount === undefined ? undefined : body.amount,
          fate: fate.state,
        },
        { reason, moneyMoved, amount, fate: expected },
        `${JSON.stringify(body)}\n${JSON.stringify(fate)}`,
      );
      // It says the same of the money when it is asked again.
      const again = await post(facilitator.url, '/settle', request);
      assert.notEqual(again.body.success, true);
      const kept = again.body.extra?.moneyMoved;
      assert.equal(kept, body.success === true ? 'yes' : moneyMoved, JSON.stringify(again.body));
    });
  }
});
