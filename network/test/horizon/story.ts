import { createHash } from 'node:crypto';
import {
  Address,
  Asset,
  Claimant,
  getLiquidityPoolId,
  LiquidityPoolAsset,
  Memo,
  nativeToScVal,
  Operation,
  rpc,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { Cast } from './cast.ts';

/** What a network has seen before clients ask it. */
export interface Story {
  readonly ledger: RunningLedger;
  readonly url: string;
  readonly cast: Cast;
  readonly gold: Asset;
  readonly usdc: Asset;
  readonly poolId: string;
  readonly offerId: string;
  readonly claimedBalanceId: string;
  /** Nobody has claimed it yet. */
  readonly openBalanceId: string;
  /** Transactions by what they did. */
  readonly hashes: StoryHashes;
}

export interface StoryHashes {
  readonly payment: string;
  readonly trade: string;
  readonly sponsoring: string;
  readonly feeBump: string;
  /** The transaction within the fee bump. */
  readonly inner: string;
  readonly failed: string;
  readonly contractTransfer: string;
}

/** Does one of everything that Horizon reports, on a new network. */
export async function tellStory(): Promise<Story> {
  return liveStory(await startLedger({ port: 0, seed: 'horizon story' }));
}

/** As `tellStory`, on a network that nothing has happened on yet. */
export async function liveStory(ledger: RunningLedger): Promise<Story> {
  const url = ledger.urls?.horizon ?? '';
  const cast = new Cast(ledger.passphrase, url);
  const { alice, bob, carol, issuer } = cast;
  for (const account of [alice, bob, carol, issuer, cast.erin]) await cast.fund(account);

  const gold = new Asset('GOLD', issuer.publicKey());
  const usdc = new Asset('USDC', ledger.accounts.usdcIssuer);
  await cast.act(issuer, [
    Operation.setOptions({ setFlags: REVOCABLE_AND_CLAWBACK, homeDomain: 'issuer.example' }),
  ]);
  await cast.act(alice, [
    Operation.changeTrust({ asset: gold }),
    Operation.changeTrust({ asset: usdc }),
  ]);
  await cast.act(bob, [Operation.changeTrust({ asset: gold })]);
  const payment = await cast.act(
    issuer,
    [
      Operation.payment({ destination: alice.publicKey(), asset: gold, amount: '1000' }),
      Operation.payment({ destination: bob.publicKey(), asset: gold, amount: '500' }),
    ],
    { memo: Memo.text('a gift') },
  );
  const trade = await tradeGold(cast, gold);
  const { records: offers } = await cast.server.offers().forAccount(bob.publicKey()).call();
  await changeAccounts(cast);
  const balances = await leaveBalances(cast, gold);
  const sponsoring = await sponsorDave(cast, gold);
  const poolId = await fillPool(cast, gold);
  await takeBack(cast, gold);
  const bumped = await bumpFee(cast);
  const failed = await fail(cast, gold);
  await buyUsdc(cast, usdc);
  const contractTransfer = await payByContract(cast, ledger);
  return {
    ledger,
    url,
    cast,
    gold,
    usdc,
    poolId,
    offerId: String(offers[0]?.id),
    ...balances,
    hashes: { payment, trade, sponsoring, ...bumped, failed, contractTransfer },
  };
}

const REVOCABLE_AND_CLAWBACK = 0xa as NonNullable<
  Parameters<typeof Operation.setOptions>[0]['setFlags']
>;

/** Bob keeps offers, alice takes of one by a payment and of it again by an offer of her own. */
async function tradeGold({ act, alice, bob }: Cast, gold: Asset): Promise<string> {
  const native = Asset.native();
  await act(bob, [
    Operation.manageSellOffer({ selling: gold, buying: native, amount: '100', price: '2' }),
    Operation.createPassiveSellOffer({ selling: native, buying: gold, amount: '10', price: '1' }),
  ]);
  await act(alice, [
    Operation.pathPaymentStrictReceive({
      sendAsset: native,
      sendMax: '100',
      destination: alice.publicKey(),
      destAsset: gold,
      destAmount: '5',
    }),
    Operation.pathPaymentStrictSend({
      sendAsset: native,
      sendAmount: '6',
      destination: bob.publicKey(),
      destAsset: gold,
      destMin: '1',
    }),
  ]);
  return act(alice, [
    Operation.manageBuyOffer({ selling: native, buying: gold, buyAmount: '7', price: '3' }),
  ]);
}

async function changeAccounts({ act, alice, bob, erin, carol }: Cast): Promise<void> {
  await act(alice, [
    Operation.manageData({ name: 'greeting', value: 'hello' }),
    Operation.setOptions({
      signer: { ed25519PublicKey: bob.publicKey(), weight: 1 },
      lowThreshold: 0,
      medThreshold: 1,
      highThreshold: 1,
    }),
    Operation.bumpSequence({ bumpTo: '1' }),
  ]);
  await act(erin, [Operation.accountMerge({ destination: carol.publicKey() })]);
}

/** Alice leaves bob two balances; he claims one. */
async function leaveBalances(
  { act, server, alice, bob }: Cast,
  gold: Asset,
): Promise<Pick<Story, 'claimedBalanceId' | 'openBalanceId'>> {
  const forBob = new Claimant(bob.publicKey());
  const later = Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime('4102444800'));
  await act(alice, [
    Operation.createClaimableBalance({ asset: gold, amount: '3', claimants: [forBob] }),
    Operation.createClaimableBalance({
      asset: Asset.native(),
      amount: '4',
      claimants: [forBob, new Claimant(alice.publicKey(), later)],
    }),
  ]);
  const { records } = await server.claimableBalances().claimant(bob.publicKey()).call();
  const [claimed, open] = ['3.0000000', '4.0000000'].map(
    (amount) => records.find((record) => record.amount === amount)?.id ?? '',
  );
  await act(bob, [Operation.claimClaimableBalance({ balanceId: claimed ?? '' })]);
  return { claimedBalanceId: claimed ?? '', openBalanceId: open ?? '' };
}

/** Alice pays the reserves of dave's account and trustline, and gives that of the trustline back. */
async function sponsorDave({ act, alice, dave }: Cast, gold: Asset): Promise<string> {
  const account = dave.publicKey();
  const hash = await act(
    alice,
    [
      Operation.beginSponsoringFutureReserves({ sponsoredId: account }),
      Operation.createAccount({ destination: account, startingBalance: '50' }),
      Operation.changeTrust({ source: account, asset: gold }),
      Operation.manageData({ source: account, name: 'from', value: 'alice' }),
      Operation.endSponsoringFutureReserves({ source: account }),
    ],
    { signers: [dave] },
  );
  await act(alice, [Operation.revokeTrustlineSponsorship({ account, asset: gold })]);
  return hash;
}

/** Alice puts gold and lumens into a pool, bob pays through it, alice takes a part back. */
async function fillPool({ act, alice, bob }: Cast, gold: Asset): Promise<string> {
  const shares = new LiquidityPoolAsset(Asset.native(), gold, 30);
  const poolId = Buffer.from(
    getLiquidityPoolId('constant_product', shares.getLiquidityPoolParameters()),
  ).toString('hex');
  await act(alice, [
    Operation.changeTrust({ asset: shares }),
    Operation.liquidityPoolDeposit({
      liquidityPoolId: poolId,
      maxAmountA: '200',
      maxAmountB: '200',
      minPrice: '0.5',
      maxPrice: '2',
    }),
  ]);
  await act(bob, [
    Operation.pathPaymentStrictSend({
      sendAsset: Asset.native(),
      sendAmount: '1',
      destination: bob.publicKey(),
      destAsset: gold,
      destMin: '0.5',
    }),
  ]);
  await act(alice, [
    Operation.liquidityPoolWithdraw({
      liquidityPoolId: poolId,
      amount: '50',
      minAmountA: '1',
      minAmountB: '1',
    }),
  ]);
  return poolId;
}

/** The issuer claws back, and takes dave's authorization away. */
async function takeBack({ act, issuer, bob, dave }: Cast, gold: Asset): Promise<void> {
  await act(issuer, [
    Operation.clawback({ asset: gold, from: bob.publicKey(), amount: '1' }),
    Operation.setTrustLineFlags({
      trustor: dave.publicKey(),
      asset: gold,
      flags: { authorized: false },
    }),
    Operation.allowTrust({ trustor: dave.publicKey(), assetCode: 'GOLD', authorize: 1 }),
  ]);
}

async function bumpFee(cast: Cast): Promise<Pick<StoryHashes, 'feeBump' | 'inner'>> {
  const { carol, bob, server, passphrase } = cast;
  const payment = Operation.payment({
    destination: carol.publicKey(),
    asset: Asset.native(),
    amount: '1',
  });
  const inner = await cast.build(carol, [payment], { memo: Memo.id('42') });
  const bump = TransactionBuilder.buildFeeBumpTransaction(bob, '200000', inner, passphrase);
  bump.sign(bob);
  const { hash } = await server.submitTransaction(bump);
  return { feeBump: hash, inner: Buffer.from(inner.hash()).toString('hex') };
}

async function fail(cast: Cast, gold: Asset): Promise<string> {
  const payment = Operation.payment({
    destination: cast.bob.publicKey(),
    asset: gold,
    amount: '1',
  });
  const transaction = await cast.build(cast.carol, [payment]);
  await cast.server.submitTransaction(transaction).then(
    () => {
      throw new Error('carol has no gold');
    },
    () => {},
  );
  return Buffer.from(transaction.hash()).toString('hex');
}

async function buyUsdc({ act, alice }: Cast, usdc: Asset): Promise<void> {
  await act(alice, [
    Operation.pathPaymentStrictReceive({
      sendAsset: Asset.native(),
      sendMax: '1000',
      destination: alice.publicKey(),
      destAsset: usdc,
      destAmount: '20',
    }),
  ]);
}

/** Alice pays one USDC to a contract, by the contract of USDC. */
async function payByContract(cast: Cast, ledger: RunningLedger): Promise<string> {
  const { alice, server } = cast;
  const rpcServer = new rpc.Server(ledger.urls?.rpc ?? '', { allowHttp: true });
  const transfer = Operation.invokeContractFunction({
    contract: ledger.accounts.usdcContract,
    function: 'transfer',
    args: [
      Address.fromString(alice.publicKey()).toScVal(),
      Address.contract(createHash('sha256').update('some contract').digest()).toScVal(),
      nativeToScVal(10_000_000n, { type: 'i128' }),
    ],
  });
  const prepared = await rpcServer.prepareTransaction(await cast.build(alice, [transfer]));
  prepared.sign(alice);
  return (await server.submitTransaction(prepared)).hash;
}
