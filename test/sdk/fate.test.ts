import assert from 'node:assert/strict';
import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Asset, Operation } from '@stellar/stellar-sdk';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { silentToken } from '../../network/test/helpers/testContract.ts';
import {
  type AuthorizationFate,
  readFate,
  type SignedTransfer,
} from '../../src/protocol/fate/index.ts';
import {
  type ContractAddress,
  parseContractAddress,
  TESTNET_PASSPHRASE,
} from '../../src/protocol/index.ts';
import { addressBytes, transferInvocation } from '../../src/protocol/stellar/index.ts';
import {
  accountSigner,
  connectRpc,
  fetchTransport,
  knownSigner,
  type SorobanRpc,
  signAuthorization,
  webPlatform,
} from '../../src/sdk/exact/index.ts';
import { Chain } from '../policies/support/chain.ts';
import { openAccount, openPayer, openSeller, submit, submitSoroban } from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';

const platform = webPlatform(webcrypto as Parameters<typeof webPlatform>[0]);
const AMOUNT = 1_000n;
/** The network keeps a temporary entry for at least so many ledgers. */
const MIN_LIFE = 720;
const LIFE = 20;
const RETAINED_LEDGERS = 4_000;

describe('The fate of an authorization on the network', () => {
  let local: LocalNetwork;
  let chain: Chain;
  let rpc: SorobanRpc;
  let payer: TestKey;
  let seller: TestKey;
  let issuer: TestKey;
  let asset: ContractAddress;
  before(async () => {
    local = await startLocalNetwork({ retainedLedgers: RETAINED_LEDGERS });
    rpc = connectRpc(local.rpcUrl, fetchTransport(fetch));
    chain = new Chain(local, await openAccount(local));
    [payer, seller] = [await openPayer(local), await openSeller(local)];
    issuer = await openAccount(local);
    asset = await openAsset(issuer, [payer, seller]);
  });
  after(() => local.close());

  /** Creates an asset with its contract, and gives some of it to its holders. */
  async function openAsset(by: TestKey, holders: readonly TestKey[]): Promise<ContractAddress> {
    const made = new Asset('FATE', by.address);
    const { body } = Operation.createStellarAssetContract({ asset: made });
    assert.equal(body.type, 'invokeHostFunction');
    await submitSoroban(local, by, body.invokeHostFunctionOp.hostFunction);
    const alphaNum4 = new xdr.AlphaNum4({
      assetCode: new TextEncoder().encode('FATE'),
      issuer: xdr.PublicKey.publicKeyTypeEd25519(addressBytes(by.address)),
    });
    for (const holder of holders) {
      const line = xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(alphaNum4);
      const trust = new xdr.ChangeTrustOp({ line, limit: 2n ** 63n - 1n });
      await submit(local, holder, [xdr.OperationBody.changeTrust(trust)]);
      const payment = new xdr.PaymentOp({
        destination: xdr.MuxedAccount.keyTypeEd25519(holder.publicKey),
        asset: xdr.Asset.assetTypeCreditAlphanum4(alphaNum4),
        amount: 1_000_000n,
      });
      await submit(local, by, [xdr.OperationBody.payment(payment)]);
    }
    const contract = parseContractAddress(made.contractId(local.ledger.passphrase));
    assert.ok(contract);
    return contract;
  }

  type Terms = Pick<SignedTransfer, 'asset' | 'to'> & {
    readonly by: TestKey;
    readonly life?: number;
    readonly amount?: bigint;
    readonly nonce?: bigint;
  };

  /** Signs a transfer that is valid for some ledgers. */
  async function sign({ by, asset: token, to, life = LIFE, amount = AMOUNT, nonce }: Terms) {
    const firstLedger = await chain.latestLedger();
    const terms: SignedTransfer = {
      ...{ asset: token, from: by.address, to, amount },
      nonce: nonce ?? randomBytes(8).readBigInt64BE(),
      ...{ expirationLedger: firstLedger + life, firstLedger },
    };
    const invocation = transferInvocation(terms);
    const entry = await signAuthorization(
      { kind: 'address', ...terms, invocation },
      knownSigner(accountSigner(by.address, by.sign)),
      TESTNET_PASSPHRASE,
      platform,
    );
    const settle = () =>
      chain
        .present(terms.asset, 'transfer', [...invocation.args], [entry])
        .then(({ hash }) => hash);
    return { terms, settle };
  }

  const fateOf = (terms: SignedTransfer): Promise<AuthorizationFate> => readFate(terms, rpc);
  const isPaid = async (terms: SignedTransfer, evidence: string, hash: string) => {
    const fate = await fateOf(terms);
    assert.deepEqual(fate, { ...fate, state: 'paid', hash, evidence });
  };
  const forgotten = (ledgers = LIFE) => chain.passLedgers(Math.max(MIN_LIFE, ledgers) + 1);

  const forms: readonly (readonly [string, () => Pick<Terms, 'by' | 'asset' | 'to'>])[] = [
    ['transfer', () => ({ by: payer, asset, to: seller.address })],
    ['transfer of USDC', () => ({ by: payer, asset: USDC, to: seller.address })],
    [
      'burn, where the recipient issues the asset',
      () => ({ by: payer, asset, to: issuer.address }),
    ],
    ['mint, where the payer issues it', () => ({ by: issuer, asset, to: seller.address })],
    ['transfer to oneself', () => ({ by: payer, asset, to: payer.address })],
  ];
  for (const [what, parties] of forms) {
    it(`is paid, by its nonce and, once that is forgotten, by its movement: ${what}`, async () => {
      const { terms, settle } = await sign(parties());
      assert.deepEqual(await fateOf(terms), { state: 'open', until: terms.expirationLedger });
      const hash = await settle();
      await isPaid(terms, 'nonce', hash);
      await forgotten();
      await isPaid(terms, 'movement', hash);
    });

    it(`is void if it never happened: ${what}`, async () => {
      const { terms } = await sign(parties());
      // Another payment with the same parties and amount is not this one.
      await (await sign(parties())).settle();
      await chain.passLedgers(terms.expirationLedger - (await chain.latestLedger()));
      const unused = { state: 'void', evidence: 'unused_at_expiration' };
      assert.deepEqual(await fateOf(terms), unused);
      await chain.passLedgers(1);
      assert.deepEqual(await fateOf(terms), { state: 'void', evidence: 'searched' });
    });
  }

  it('is void if another call of the payer used its nonce for as long', async () => {
    const parties = { by: payer, asset, to: seller.address };
    const { terms } = await sign(parties);
    const other = await sign({ ...parties, nonce: terms.nonce, amount: 1n, life: LIFE + 10 });
    await other.settle();
    // The movement is found by its parties, and then it is another amount.
    const used = { state: 'void', evidence: 'nonce_used_otherwise' };
    assert.deepEqual(await fateOf(terms), used);
    await forgotten();
    assert.deepEqual(await fateOf(terms), used);
  });

  it('is void if a call that moved another asset used its nonce for as long', async () => {
    const { terms } = await sign({ by: payer, asset, to: seller.address });
    await (await sign({ by: payer, asset: USDC, to: seller.address, nonce: terms.nonce })).settle();
    const used = { state: 'void', evidence: 'nonce_used_otherwise' };
    assert.deepEqual(await fateOf(terms), used);
  });

  it('is paid although a call with the same nonce was before it, whose nonce the ledger had forgotten', async () => {
    const parties = { by: payer, asset, to: seller.address };
    const { terms, settle } = await sign({ ...parties, life: 2_000 });
    await (await sign({ ...parties, nonce: terms.nonce, amount: 1n })).settle();
    assert.deepEqual(await fateOf(terms), { state: 'open', until: terms.expirationLedger });
    await forgotten();
    const hash = await settle();
    await isPaid(terms, 'nonce', hash);
    await forgotten(2_000);
    await isPaid(terms, 'movement', hash);
  });

  it('is open until its last ledger, and can be paid in that ledger', async () => {
    const { terms, settle } = await sign({ by: payer, asset, to: seller.address });
    await chain.passLedgers(LIFE - 1);
    assert.deepEqual(await fateOf(terms), { state: 'open', until: terms.expirationLedger });
    const hash = await settle();
    assert.equal(await chain.latestLedger(), terms.expirationLedger);
    await isPaid(terms, 'nonce', hash);
  });

  it('is not known after it expired, for a token that may pay without an event', async () => {
    const wasm = silentToken(27);
    const hash = createHash('sha256').update(wasm).digest();
    const token = await chain.deploy({ wasm, hash });
    const { terms, settle } = await sign({ by: payer, asset: token, to: seller.address });
    const unused = await sign({ by: payer, asset: token, to: seller.address });
    await settle();
    const notFound = { state: 'unknown', because: 'user_of_nonce_not_found' };
    assert.deepEqual(await fateOf(terms), notFound);
    await forgotten();
    for (const { terms: either } of [{ terms }, unused]) {
      const because = 'token_may_be_silent';
      assert.deepEqual(await fateOf(either), { state: 'unknown', because });
    }
  });

  it('is not known if the history starts after its first possible ledger, unless it is found', async () => {
    const parties = { by: payer, asset, to: seller.address };
    const { terms: unused } = await sign({ ...parties, life: RETAINED_LEDGERS + 1_000 });
    await chain.passLedgers(RETAINED_LEDGERS);
    const { terms, settle } = await sign(parties);
    const hash = await settle();
    await chain.passLedgers(1_001);
    const short = { state: 'unknown', because: 'history_too_short' };
    assert.deepEqual(await fateOf(unused), short);
    await isPaid({ ...terms, firstLedger: unused.firstLedger }, 'movement', hash);
  });

  it('is known without a first ledger on a network whose whole history is there', async () => {
    const young = await startLocalNetwork();
    try {
      const sequence = await young.network.getLatestLedger();
      const terms: SignedTransfer = {
        ...{ asset: USDC, from: payer.address, to: seller.address, amount: AMOUNT, nonce: 5n },
        expirationLedger: sequence + 10,
      };
      await young.ledger.control('svc_advanceLedgers', { count: 11 });
      const reader = connectRpc(young.rpcUrl, fetchTransport(fetch));
      assert.deepEqual(await readFate(terms, reader), { state: 'void', evidence: 'searched' });
    } finally {
      await young.close();
    }
  });
});
