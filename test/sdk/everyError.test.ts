import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { encodeHeaderMessage, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import * as sdk from '../../src/sdk/index.ts';
import { AgentWallet } from '../policies/support/agentWallet.ts';
import { Chain } from '../policies/support/chain.ts';
import { openAccount, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';

const PRICE = 1_000_000n;
const SELLER = 'http://seller.test';
const HASH = 'ab'.repeat(32);
const NOWHERE = 'http://127.0.0.1:9';

type Answer = () => Response;

const told = (status: number, settlement: object): Response =>
  new Response(null, {
    status,
    headers: { 'PAYMENT-RESPONSE': encodeHeaderMessage(settlement) },
  });

describe('Every error of svc-x402/sdk, as an app catches it', () => {
  let local: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  before(async () => {
    local = await startLocalStack({ policyProofRequired: false });
    [payer, payTo] = [await openPayer(local), await openSeller(local)];
  });
  after(() => local.close());

  interface Sale {
    readonly terms?: object;
    readonly options?: Partial<sdk.X402FetchOptions>;
    readonly paid?: Answer;
    readonly by?: TestKey;
  }

  /** Pays a seller that answers as a test says. The network is real. */
  async function buy({ terms = {}, options = {}, paid, by = payer }: Sale): Promise<Response> {
    const accepted = {
      scheme: 'exact',
      network: STELLAR_TESTNET,
      asset: USDC,
      amount: `${PRICE}`,
      payTo: payTo.address,
      maxTimeoutSeconds: 60,
      extra: { areFeesSponsored: true },
      ...terms,
    };
    const required = encodeHeaderMessage({ x402Version: 2, accepts: [accepted] });
    const fetching: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith(SELLER)) return fetch(request);
      if (request.headers.has('PAYMENT-SIGNATURE')) {
        assert.ok(paid, 'nothing may be sent to the seller');
        return paid();
      }
      return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
    };
    const signer = sdk.accountSigner(by.address, by.sign);
    const pay = sdk.createX402Fetch({ signer, rpcUrl: local.rpcUrl, ...options, fetch: fetching });
    return pay(`${SELLER}/goods`);
  }

  it('MaxAmountExceededError: the price is above maxAmount; nothing is signed', async () => {
    await assert.rejects(buy({ options: { maxAmount: PRICE - 1n } }), (error) => {
      assert.ok(error instanceof sdk.MaxAmountExceededError);
      assert.deepEqual([error.asked, error.maxAmount], [PRICE, PRICE - 1n]);
      assert.equal(error.moneyMoved, 'no');
      return true;
    });
  });

  it('DisallowedAssetError: no offered asset is allowed', async () => {
    await assert.rejects(buy({ options: { allowedAssets: [OTHER_ASSET] } }), (error) => {
      assert.ok(error instanceof sdk.DisallowedAssetError);
      assert.deepEqual(error.offered, [USDC]);
      return true;
    });
  });

  it('NoUsablePaymentOptionError: no option with the scheme, the network and sponsored fees', async () => {
    for (const [terms, because] of [
      [{ extra: {} }, 'fees_not_sponsored'],
      [{ scheme: 'upto' }, 'scheme'],
      [{ network: 'stellar:pubnet' }, 'network'],
    ] as const) {
      await assert.rejects(buy({ terms }), (error) => {
        assert.ok(error instanceof sdk.NoUsablePaymentOptionError);
        assert.equal(error.because, because);
        return true;
      });
    }
  });

  it('InvalidRequirementsError: the terms are malformed, such as an amount that is not a whole number', async () => {
    for (const terms of [{ amount: '1.5' }, { payTo: 'nobody' }, { asset: 'USDC' }]) {
      await assert.rejects(buy({ terms }), sdk.InvalidRequirementsError);
    }
  });

  it('CannotPayError: the network would not execute the transfer; nothing is sent to the seller', async () => {
    await assert.rejects(buy({ by: await openAccount(local) }), (error) => {
      assert.ok(error instanceof sdk.CannotPayError);
      assert.equal(error.reason, 'trustline_missing');
      assert.equal(error.refusal, undefined);
      return true;
    });
  });

  it('PaymentRejectedError: the facilitator refused, with its reason', async () => {
    const refused = { success: false, transaction: '', errorReason: 'settlement_refused' };
    await assert.rejects(buy({ paid: () => told(402, refused) }), (error) => {
      assert.ok(error instanceof sdk.PaymentRejectedError);
      assert.equal(error.reason, 'settlement_refused');
      assert.equal(error.moneyMoved, 'not_yet');
      assert.equal(error.payment?.amount, PRICE);
      const until = error.payment?.expirationLedger;
      assert.deepEqual(error.fate, { state: 'open', until });
      assert.equal(
        error.message,
        'The payment was refused: settlement_refused. Nothing was paid so far; the authorization can still pay until ledger ' +
          `${until}. Do not sign another payment for this request before ledger ${until} has closed: both could be paid.`,
      );
      return true;
    });
    const failed = { ...refused, transaction: HASH };
    await assert.rejects(buy({ paid: () => told(402, failed) }), (error) => {
      assert.ok(error instanceof sdk.PaymentRejectedError);
      assert.deepEqual([error.transaction, error.moneyMoved], [HASH, 'not_yet']);
      return true;
    });
  });

  it('SettledWithoutResourceError: it settled, according to the seller, but the resource failed', async () => {
    const settlement = { success: true, transaction: HASH, payer: payer.address };
    await assert.rejects(buy({ paid: () => told(500, settlement) }), (error) => {
      assert.ok(error instanceof sdk.SettledWithoutResourceError);
      assert.deepEqual([error.transaction, error.status, error.moneyMoved], [HASH, 500, 'not_yet']);
      assert.match(
        error.message,
        /according to the seller settled.*can still pay until ledger \d+/,
      );
      return true;
    });
  });

  it('PaymentOutcomeUnknownError: the paid request got no answer', async () => {
    const paid = () => {
      throw new TypeError('the connection broke');
    };
    await assert.rejects(buy({ paid }), (error) => {
      assert.ok(error instanceof sdk.PaymentOutcomeUnknownError);
      assert.equal(error.moneyMoved, 'not_yet');
      assert.deepEqual(error.fate, { state: 'open', until: error.expirationLedger });
      assert.match(error.message, /got no response\. Nothing was paid so far; .* until ledger \d+/);
      return true;
    });
  });

  it('NotSignedError: the signer failed, or the user refused; its error is the cause, and nothing is sent', async () => {
    const refused = new DOMException('The user cancelled.', 'NotAllowedError');
    const signers: readonly (readonly [sdk.PaymentSigner | sdk.WalletSigner, RegExp])[] = [
      [sdk.accountSigner(payer.address, () => Promise.reject(refused)), /The user cancelled/],
      [
        {
          address: payer.address,
          signAuthEntry: async () => ({
            signedAuthEntry: null,
            error: { message: 'the user said no' },
          }),
        },
        /the user said no/,
      ],
      [
        { address: payer.address, signAuthEntry: async () => ({ signedAuthEntry: null }) },
        /no signature/,
      ],
      [{ address: payer.address, sign: async () => 'not XDR' }, /did not sign/],
      [
        {
          address: payer.address,
          sign: () => {
            throw 'a string';
          },
        },
        /a string/,
      ],
    ];
    for (const [signer, message] of signers) {
      await assert.rejects(buy({ options: { signer } }), (error) => {
        assert.ok(error instanceof sdk.NotSignedError, String(error));
        assert.deepEqual(
          [error.code, error.moneyMoved, error.payment],
          ['not_signed', 'no', undefined],
        );
        assert.match(error.message, message);
        return true;
      });
    }
    const [first] = signers;
    await assert.rejects(buy({ options: { signer: first?.[0] as sdk.PaymentSigner } }), {
      cause: refused,
    });
  });

  it('an abort error stays one, and a failure of the SDK’s own stays that', async () => {
    const aborted = new DOMException('The operation was aborted.', 'AbortError');
    const aborting = sdk.accountSigner(payer.address, () => Promise.reject(aborted));
    await assert.rejects(buy({ options: { signer: aborting } }), (error) => error === aborted);
    const short = sdk.accountSigner(payer.address, () => new Uint8Array(3));
    await assert.rejects(buy({ options: { signer: short } }), sdk.X402NotConfiguredError);
  });

  it('RpcFailedError: no Stellar RPC answers', async () => {
    await assert.rejects(buy({ options: { rpcUrl: NOWHERE } }), (error) => {
      assert.ok(error instanceof sdk.RpcFailedError);
      assert.equal(error.moneyMoved, 'no');
      return true;
    });
  });

  it('X402NotConfiguredError: at construction, if rpcUrl is missing, empty or not a URL', () => {
    const signer = sdk.accountSigner(payer.address, payer.sign);
    for (const rpcUrl of [undefined as never, '', 'not a url', 'ftp://rpc.test']) {
      assert.throws(() => sdk.createX402Fetch({ signer, rpcUrl }), sdk.X402NotConfiguredError);
    }
  });

  it('PoliciesNotConfiguredError: wallet.policies without apiUrl', () => {
    const none = () => Promise.reject(new Error('nobody asks the kit'));
    const kit = { createWallet: none, connectWallet: none };
    const wallet = sdk.createSvcWallet({ network: STELLAR_TESTNET, appName: 'test', kit });
    assert.throws(() => wallet.policies, sdk.PoliciesNotConfiguredError);
  });

  it('GatewayError: the gateway refused, or nothing answers', async () => {
    const client = sdk.createPolicyClient({ apiUrl: NOWHERE, network: STELLAR_TESTNET });
    await assert.rejects(client.listTemplates(), (error) => {
      assert.ok(error instanceof sdk.GatewayError);
      assert.equal(error.reason, 'unreachable');
      return true;
    });
  });

  /** The policies of a wallet by the real gateway, and an attach that only claims success. */
  async function policiesOf(name: string, fetch: typeof globalThis.fetch = globalThis.fetch) {
    const wallet = await AgentWallet.open(new Chain(local, payer), name);
    const definition: sdk.PolicyDefinition = {
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { daily: [{ asset: USDC, amount: '1' }] },
    };
    const apiUrl = local.facilitator.url;
    const client = sdk.createPolicyClient({ apiUrl, network: STELLAR_TESTNET, fetch });
    const attach = { attachPolicy: async () => ({ hash: HASH }) };
    const { rpcUrl } = local;
    const keyId = () => undefined;
    return {
      wallet,
      definition,
      client,
      policies: sdk.createWalletPolicies({ client, attach, keyId, rpcUrl }),
    };
  }

  it('AttachNotRecordedError: attached, but the gateway did not record it', async () => {
    const forgetful: typeof fetch = async (input, init) =>
      String(input).endsWith('/policies/deploy')
        ? Response.json({ code: 'attach_mismatch', detail: 'no' }, { status: 422 })
        : fetch(input, init);
    const { policies, definition } = await policiesOf('forgotten', forgetful);
    const { id } = await policies.generate(definition);
    await assert.rejects(policies.deploy(id), (error) => {
      assert.ok(error instanceof sdk.AttachNotRecordedError);
      assert.deepEqual([error.id, error.attachTxHash], [id, HASH]);
      return true;
    });
  });

  it('PolicyMismatchError: the contract is not the requested policy; nothing is signed', async () => {
    const { policies, definition } = await policiesOf('lied to');
    const { id } = await policies.generate(definition);
    const asked = { ...definition, spendingLimits: { daily: [{ asset: USDC, amount: '2' }] } };
    await assert.rejects(policies.deploy(id, asked as sdk.PolicyDefinition), (error) => {
      assert.ok(error instanceof sdk.PolicyMismatchError);
      assert.equal(error.difference, 'its limit is 1, not 2');
      return true;
    });
  });

  it('ChangeNotSeenError: a change of signers was submitted, but the ledger does not show it', async () => {
    const { wallet, client } = await policiesOf('unseen');
    const { id, owner } = wallet;
    const agents = sdk.createWalletAgents({
      wallet: id,
      owner: sdk.passkeySigner(id, owner.keyId, (challenge) => owner.assert(challenge)),
      client,
      rpcUrl: local.rpcUrl,
      submit: async () => HASH,
      sleep: async () => undefined,
    });
    const expires = new Date(Date.now() + 3_600_000);
    const grant = agents.grant({ budget: '1', window: 'day', assets: [USDC], expires });
    await assert.rejects(grant, (error) => {
      assert.ok(error instanceof sdk.ChangeNotSeenError);
      assert.equal(error.transaction, HASH);
      assert.ok(error.expirationLedger > 60);
      assert.match(error.message, new RegExp(`until ledger ${error.expirationLedger}`));
      return true;
    });
  });

  it('no other is exported: each has a test here with its name', () => {
    const own = readFileSync(new URL(import.meta.url), 'utf8');
    const tested = new Set([...own.matchAll(/\bit\('(\w+Error): /g)].map(([, name]) => name));
    const bases = ['X402Error', 'PolicyClientError'];
    const exported = Object.entries(sdk)
      .filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error)
      .map(([name]) => name)
      .filter((name) => !bases.includes(name));
    assert.deepEqual([...tested].sort(), exported.sort());
  });
});
