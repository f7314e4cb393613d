import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, TESTNET_PASSPHRASE } from '../../src/protocol/index.ts';
import { authorizationPreimage, toScAddress } from '../../src/protocol/stellar/index.ts';
import { balancesOf, openAccount, openPayer, openSeller, submit } from '../support/accounts.ts';
import { freshNonce, freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import {
  authorizationEntry,
  type EntryParts,
  invocation,
  paymentRequest,
  STRANGER,
} from '../support/payment.ts';
import { type Posted, post } from '../support/post.ts';
import { deploySmartAccount } from '../support/smartAccount.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** `address` since Soroban began, `addressV2` of protocol 27, which binds the address (CAP-71). */
const KINDS = ['address', 'addressV2'] as const;

describe('Payers and their credentials', () => {
  let stack: LocalStack;
  let seller: TestKey;

  before(async () => {
    stack = await startLocalStack();
    seller = await openSeller(stack);
  });
  after(() => stack.close());

  const verify = (request: object) => post(stack.facilitator.url, '/verify', request);
  const settle = (request: object) => post(stack.facilitator.url, '/settle', request);

  async function settles(request: object, payer: string): Promise<void> {
    const before = (await balancesOf(stack, seller.address)).usdc;
    assert.deepEqual((await verify(request)).body, { isValid: true, payer });
    const { body } = await settle(request);
    assert.equal(body.success, true, JSON.stringify(body));
    assert.equal(body.payer, payer);
    assert.equal((await balancesOf(stack, seller.address)).usdc - before, 100_000n);
  }

  async function isRefused(request: object, reason: string): Promise<void> {
    const before = (await balancesOf(stack, seller.address)).usdc;
    const answers: Posted[] = [await verify(request), await settle(request)];
    for (const { body } of answers) assert.equal(body.reason, reason);
    assert.equal((await balancesOf(stack, seller.address)).usdc, before);
  }

  for (const kind of KINDS) {
    describe(`Credentials of kind ${kind}`, () => {
      it('of a classic account settle', async () => {
        const payer = await openPayer(stack);
        await settles(await freshPayment(stack, payer, seller, { entry: { kind } }), payer.address);
      });

      it('signed by another key are refused', async () => {
        const payer = await openPayer(stack);
        const entry = { kind, signer: STRANGER };
        const request = await freshPayment(stack, payer, seller, { entry });
        await isRefused(request, 'signature_invalid');
      });

      it('are valid once: the second use is a replay', async () => {
        const payer = await openPayer(stack);
        const request = await freshPayment(stack, payer, seller, { entry: { kind } });
        await settles(request, payer.address);
        await isRefused(request, 'authorization_replayed');
      });

      it('of a contract settle', async () => {
        const owner = await openPayer(stack);
        const account = await fundedAccount(owner, 'allows');
        await settles(await contractPayment(account, kind), account);
      });

      it('of a contract whose policy refuses are refused', async () => {
        const owner = await openPayer(stack);
        const account = await fundedAccount(owner, 'refuses');
        await isRefused(await contractPayment(account, kind), 'spending_policy_refused');
      });

      it('of an account with two signers settle with both, and not with one', async () => {
        const { payer, second } = await twoSigners();
        await isRefused(await signedBy(payer, [payer], kind), 'signature_invalid');
        await isRefused(await signedBy(payer, [second], kind), 'signature_invalid');
        await settles(await signedBy(payer, [payer, second], kind), payer.address);
      });
    });
  }

  it('of an account with another key of enough weight settle with that key alone', async () => {
    const payer = await openPayer(stack);
    const second = await openAccount(stack);
    await submit(stack, payer, [signer(second, 1)]);
    await settles(await signedBy(payer, [second], 'address'), payer.address);
    await settles(await signedBy(payer, [payer], 'address'), payer.address);
  });

  it('an authorization signed as one kind does not serve as the other', async () => {
    const payer = await openPayer(stack);
    const expirationLedger = (await stack.network.getLatestLedger()) + 50;
    const call = invocation({ from: payer.address, to: toScAddress(seller.address) });
    const parts = { by: payer.address, signer: payer, nonce: freshNonce(), expirationLedger };
    for (const [signed, used] of [KINDS, [...KINDS].reverse()]) {
      const { credentials } = authorizationEntry({ ...parts, kind: signed ?? 'address' }, call);
      const { signature } =
        credentials.type === 'sorobanCredentialsAddress'
          ? credentials.address
          : credentials.type === 'sorobanCredentialsAddressV2'
            ? credentials.addressV2
            : assert.fail();
      const entry = { ...parts, kind: used ?? 'address', signature };
      await isRefused(await freshPayment(stack, payer, seller, { entry }), 'signature_invalid');
    }
  });

  it('[spec: Facilitator codes/unsupported_credential_type] those of the source account and of delegates are refused', async () => {
    const payer = await openPayer(stack);
    for (const kind of ['sourceAccount', 'delegated'] as const) {
      const parts = { source: payer.publicKey, entry: { kind } };
      await isRefused(
        await freshPayment(stack, payer, seller, parts),
        'unsupported_credential_type',
      );
    }
  });

  it('a key that was removed from its account no longer pays', async () => {
    const { payer, second } = await twoSigners();
    const request = await signedBy(payer, [payer, second], 'address');
    await submit(stack, payer, [signer(second, 0)]);
    await isRefused(request, 'signature_invalid');
  });

  it('a missing account pays nothing', async () => {
    const bare = await openAccount(stack);
    await isRefused(await freshPayment(stack, bare, seller), 'insufficient_funds');
  });

  /** An account whose transfers need two signatures. */
  async function twoSigners(): Promise<{ payer: TestKey; second: TestKey }> {
    const payer = await openPayer(stack);
    const second = await openAccount(stack);
    await submit(stack, payer, [signer(second, 1), thresholds(2)]);
    return { payer, second };
  }

  function setOptions(options: Partial<xdr.SetOptionsOp>): xdr.OperationBody {
    return xdr.OperationBody.setOptions(
      new xdr.SetOptionsOp({
        inflationDest: null,
        clearFlags: null,
        setFlags: null,
        masterWeight: null,
        lowThreshold: null,
        medThreshold: null,
        highThreshold: null,
        homeDomain: null,
        signer: null,
        ...options,
      }),
    );
  }

  function signer(key: TestKey, weight: number): xdr.OperationBody {
    return setOptions({
      signer: new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(key.publicKey), weight }),
    });
  }

  function thresholds(weight: number): xdr.OperationBody {
    return setOptions({ medThreshold: weight });
  }

  /** A payment of `payer` that carries the signatures of these keys, in the order the host asks for. */
  async function signedBy(
    payer: TestKey,
    keys: readonly TestKey[],
    kind: NonNullable<EntryParts['kind']>,
  ) {
    const expirationLedger = (await stack.network.getLatestLedger()) + 50;
    const parts = { kind, by: payer.address, nonce: freshNonce(), expirationLedger };
    const call = invocation({ from: payer.address, to: toScAddress(seller.address) });
    const unsigned = authorizationEntry({ ...parts, signer: null }, call);
    const hash = createHash('sha256').update(authorizationPreimage(unsigned, NETWORK_ID)).digest();
    const member = (name: string, bytes: Uint8Array) =>
      new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: xdr.ScVal.scvBytes(bytes) });
    const sorted = [...keys].sort((a, b) => Buffer.compare(a.publicKey, b.publicKey));
    const signature = xdr.ScVal.scvVec(
      sorted.map((key) =>
        xdr.ScVal.scvMap([
          member('public_key', key.publicKey),
          member('signature', key.sign(hash)),
        ]),
      ),
    );
    return freshPayment(stack, payer, seller, { entry: { ...parts, signature } });
  }

  async function fundedAccount(
    owner: TestKey,
    behaviour: 'allows' | 'refuses',
  ): Promise<ContractAddress> {
    const account = await deploySmartAccount(stack, owner, behaviour);
    const funding = await freshPayment(stack, owner, seller, {
      to: toScAddress(account),
      amount: 1_000_000n,
      requirements: { payTo: account, amount: '1000000' },
    });
    assert.equal((await settle(funding)).body.success, true);
    return account;
  }

  async function contractPayment(account: ContractAddress, kind: (typeof KINDS)[number]) {
    const expirationLedger = (await stack.network.getLatestLedger()) + 50;
    const signature = xdr.ScVal.scvBytes(new Uint8Array(4));
    return paymentRequest({
      from: account,
      to: toScAddress(seller.address),
      fee: 400_000,
      entries: [{ kind, by: account, signature, nonce: freshNonce(), expirationLedger }],
      requirements: { payTo: seller.address },
    });
  }
});
