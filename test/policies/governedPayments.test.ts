import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, formatDecimalAmount } from '../../src/protocol/index.ts';
import { explainRefusal } from '../../src/protocol/smartAccount/index.ts';
import { toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { AgentWallet } from './support/agentWallet.ts';
import { Chain, Refused } from './support/chain.ts';
import { MODULES } from './support/contractModules.ts';

type Body = Record<string, unknown>;

/** Atomic units of one USDC. */
const ONE = 10_000_000n;
const DAY = 86_400;
/** The most that facilitators of the published packages bid by default, in stroops. */
const PUBLISHED_CEILING = 50_000n;

describe('An agent pays from a smart account under policies, on the embedded network', () => {
  let stack: LocalStack;
  let chain: Chain;
  let funder: TestKey;
  let seller: TestKey;
  let upto: ContractAddress;

  before(async () => {
    stack = await startLocalStack();
    funder = await openPayer(stack, 100n * ONE);
    seller = await openSeller(stack);
    chain = new Chain(stack, funder);
    const deployed = stack.ledger.contracts.upto;
    assert.ok(deployed);
    upto = deployed as ContractAddress;
  });
  after(() => stack.close());

  const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

  async function post(path: string, request: FacilitatorRequest): Promise<Body> {
    const response = await fetch(stack.facilitator.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return (await response.json()) as Body;
  }

  async function fundedWallet(name: string): Promise<AgentWallet> {
    const wallet = await AgentWallet.open(chain, name);
    const args = [address(funder.address), address(wallet.id), toI128(10n * ONE)];
    await chain.call(USDC, 'transfer', args);
    return wallet;
  }

  /** A wallet whose agent may spend a cap of 1.00 a day. */
  async function limitedWallet(name: string) {
    const wallet = await fundedWallet(name);
    const limit = await wallet.limit(upto, ONE, BigInt(DAY));
    await wallet.attach(limit);
    await wallet.grant([USDC, upto], [limit]);
    return { wallet, limit };
  }

  const budget = (limit: string) => chain.budget(limit);
  const received = async () => (await balancesOf(stack, seller.address)).usdc;

  it('[spec: Policy lifecycle/Attach] [spec: Authentication/Passkey] a passkey attaches the policy, with one prompt', async (t) => {
    const wallet = await fundedWallet('attach');
    const limit = await wallet.limit(upto, ONE, BigInt(DAY));
    const prompts = wallet.owner.prompts;
    const { hash, resourceFee, instructions } = await wallet.attach(limit);
    assert.equal(wallet.owner.prompts - prompts, 1);
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.deepEqual(await chain.ask(wallet.id, 'policies'), [limit]);
    t.diagnostic(`attach: ${instructions} instructions, ${resourceFee} stroops of resources`);
  });

  it('[spec: Policy gateway/Tumbling] [spec: Limits/Spending-limit window] [spec: Policy lifecycle/Inert] pays within the cap, is refused over it, and pays again when the window has rolled', async () => {
    const { wallet, limit } = await limitedWallet('exact');
    const before = await received();
    const first = await wallet.exactPayment(seller.address, (ONE * 7n) / 10n);
    assert.deepEqual(await post('/verify', first), { isValid: true, payer: wallet.id });
    const settled = await post('/settle', first);
    assert.equal(settled['success'], true, JSON.stringify(settled));
    assert.equal(settled['payer'], wallet.id);
    assert.equal((await budget(limit)).remaining, (ONE * 3n) / 10n);

    const over = await wallet.exactPayment(seller.address, (ONE * 4n) / 10n);
    const verified = await post('/verify', over);
    assert.equal(verified['isValid'], false);
    assert.equal(verified['reason'], 'spending_policy_refused');
    assert.match(String(verified['invalidMessage']), /#1, wrapped as #110/);
    assert.match(String(verified['invalidMessage']), /exceeds what is left in this window/);
    const refused = await post('/settle', over);
    assert.equal(refused['success'], false);
    assert.equal(refused['transaction'], '');
    assert.equal(await received(), before + (ONE * 7n) / 10n);

    const { resetsAt } = await budget(limit);
    assert.ok(resetsAt !== undefined);
    await chain.pass(DAY);
    assert.equal((await budget(limit)).remaining, ONE);
    const again = await wallet.exactPayment(seller.address, (ONE * 4n) / 10n);
    assert.equal((await post('/settle', again))['success'], true);
    assert.equal(await received(), before + (ONE * 11n) / 10n);
    assert.equal((await budget(limit)).spent, (ONE * 4n) / 10n);
  });

  it('[C4] [spec: Limits/Policy-governed bid] [spec: Limits/Fee ceiling] a governed payment, the first too, is settled for less than the specified bid of about 130,000 stroops and the ceiling of published facilitators', async (t) => {
    const { wallet } = await limitedWallet('fees');
    const sponsor = async () =>
      (await balancesOf(stack, stack.ledger.accounts.sponsor.address)).xlm;
    const fees: bigint[] = [];
    for (const turn of ['first', 'second']) {
      const before = await sponsor();
      const payment = await wallet.exactPayment(seller.address, ONE / 10n);
      const { resourceFee: simulated } = await chain.costOf(payment);
      assert.equal((await post('/settle', payment))['success'], true);
      const charged = before - (await sponsor());
      t.diagnostic(
        `exact under a spending limit, ${turn}: ${charged} stroops charged, ${simulated} simulated`,
      );
      assert.ok(charged < 130_000n);
      assert.ok(simulated < PUBLISHED_CEILING);
      fees.push(simulated);
    }
    // [C4] The deployment pays for storing the window: the first payment costs no more.
    const [first = 0n, second = 0n] = fees;
    assert.ok(first <= second + 1_000n, `${first} and ${second}`);
  });

  it('[spec: Spending budget with upto/Reserve] [spec: Spending budget with upto/Release] [spec: Spending budget with upto/Actual charge] reserves the ceiling and ends at the actual charge', async (t) => {
    const { wallet, limit } = await limitedWallet('upto');
    const before = await received();
    // A cap of 1.00; a ceiling of 0.60 is reserved, 0.10 is used.
    const first = await wallet.settle(upto, seller.address, (ONE * 6n) / 10n, ONE / 10n);
    const { spent: afterFirst } = await budget(limit);
    assert.equal(afterFirst, ONE / 10n);
    assert.equal(await received(), before + ONE / 10n);
    // A second ceiling of 0.60 is then admitted, which 0.60 of reservation would not have left room for.
    const second = await wallet.settle(upto, seller.address, (ONE * 6n) / 10n, (ONE * 6n) / 10n);
    const { spent: afterSecond } = await budget(limit);
    assert.equal(afterSecond, (ONE * 7n) / 10n);
    // A third one does not fit, however little would be used.
    await assert.rejects(wallet.settle(upto, seller.address, (ONE * 4n) / 10n, 1n), (error) => {
      assert.ok(error instanceof Refused);
      assert.deepEqual(explainRefusal(error.report)?.policy, 1);
      return true;
    });
    assert.equal(await received(), before + (ONE * 7n) / 10n);
    t.diagnostic(`cap 1.00; ceiling 0.60, actual 0.10: spent ${formatDecimalAmount(afterFirst)}`);
    t.diagnostic(`a second ceiling of 0.60 is admitted: spent ${formatDecimalAmount(afterSecond)}`);
    for (const { instructions, resourceFee } of [first, second]) {
      t.diagnostic(`upto under a limit: ${instructions} instructions, ${resourceFee} stroops`);
    }
  });

  it('[spec: Policy gateway/Verified only] [spec: Policy gateway/Revoked] revoking an attestation makes the identical payment fail; so does its expiry', async (t) => {
    const wallet = await fundedWallet('verified');
    const registry = await chain.deploy(MODULES.registry, [address(funder.address)]);
    const verifiedOnly = await chain.deploy(MODULES.verifiedOnly, [
      address(wallet.id),
      address(registry),
    ]);
    const limit = await wallet.limit(upto, ONE, BigInt(DAY));
    await wallet.attach(verifiedOnly);
    await wallet.attach(limit);
    await wallet.grant([USDC], [verifiedOnly, limit]);
    // The shop is a contract that can hold tokens: another account.
    const owner = await AgentWallet.open(chain, 'shop');
    const shop = owner.id;
    const attest = async (life: number) => {
      const expires = xdr.ScVal.scvU32((await chain.latestLedger()) + life);
      const module = xdr.ScVal.scvBytes(MODULES.account.hash);
      await chain.call(registry, 'attest', [address(shop), module, expires]);
    };
    const pay = async (to: ContractAddress | TestKey['address'] = shop) =>
      post('/settle', await wallet.exactPayment(to, ONE / 100n));
    const assertRefused = (answer: Body) => {
      assert.equal(answer['success'], false);
      assert.equal(answer['reason'], 'spending_policy_refused');
      assert.match(
        String(answer['errorMessage']),
        /not a contract that is currently attested.*#11/,
      );
    };

    assertRefused(await pay());
    await attest(1_000);
    assert.equal((await pay())['success'], true);
    assertRefused(await pay(seller.address));
    await chain.call(registry, 'revoke', [address(shop)]);
    assertRefused(await pay());
    t.diagnostic('attested: settled; revoked: the identical payment is refused with #11');
    await attest(100);
    assert.equal((await pay())['success'], true);
    await chain.passLedgers(100);
    assertRefused(await pay());
    t.diagnostic('attested again: settled; 100 ledgers later, past its end: refused with #11');
    // An attestation is of a module: a contract that runs another one since is not attested.
    await attest(1_000);
    assert.equal((await pay())['success'], true);
    const other = xdr.ScVal.scvBytes(MODULES.registry.hash);
    await chain.call(shop, 'upgrade', [other], owner.byOwner);
    assertRefused(await pay());
    t.diagnostic('attested again: settled; the recipient upgraded: refused with #11');
  });

  it('[spec: Policy lifecycle/Inert] a removed policy limits nothing, and the agent that names it can do nothing', async () => {
    const { wallet, limit } = await limitedWallet('detached');
    await wallet.detach(limit);
    const payment = await wallet.exactPayment(seller.address, 1n);
    assert.equal((await post('/verify', payment))['reason'], 'spending_policy_refused');
    // The owner can still pay, without any policy.
    const owners = await wallet.exactPayment(seller.address, 2n * ONE, wallet.byOwner);
    assert.equal((await post('/settle', owners))['success'], true);
  });
});
