import assert from 'node:assert/strict';
import { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../src/settings/index.ts';
import {
  type AccountIdString,
  accountIdString,
  type LedgerKeyId,
  LedgerTxn,
  liquidityPoolKeyId,
  trustlineKeyId,
} from '../../src/state/index.ts';
import {
  accountExtension,
  isIssuer,
  muxedOfAccount,
  sameAccount,
  trustLineAssetOf,
  trustlineLiabilities,
  withTrustlineLiabilities,
} from '../../src/transaction/balances/index.ts';
import { droppedEvents } from '../../src/transaction/events/index.ts';
import { offerLiabilities, poolIdOfAssets } from '../../src/transaction/exchange/index.ts';
import { rulesFor } from '../../src/transaction/operations/index.ts';
import { changeTrustOp, paymentOp } from './testOperations.ts';
import { credit, type Step, TestWorld, XLM } from './testWorld.ts';

const { OperationBody } = xdr;

export const NATIVE = xdr.Asset.assetTypeNative();

/** Units of the asset bought for one of the asset sold: `[3, 2]` is one and a half. */
export type TestPrice = readonly [n: number, d: number];

/** A world with an issuer of two assets, and traders that hold them. */
export class TestMarket extends TestWorld {
  readonly issuer = this.account('issuer', 1000n * XLM);
  readonly usd = credit('USD', this.issuer);
  readonly eur = credit('EUR', this.issuer);

  /** An account with trustlines to both assets and a balance of each. */
  trader(name: string, balance = 1_000_000n, lumens = 1000n * XLM): xdr.PublicKey {
    const trader = this.account(name, lumens);
    for (const asset of [this.usd, this.eur]) {
      this.must(trader, changeTrustOp(asset, 10n ** 18n));
      if (balance > 0n) this.must(this.issuer, paymentOp(trader, asset, balance));
    }
    return trader;
  }

  /** Puts a balance on a trustline that its owner has. */
  putLineBalance(owner: xdr.PublicKey, asset: xdr.Asset, balance: bigint): void {
    const line = this.line(owner, asset) ?? assert.fail('no line');
    this.putEntry(xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...line, balance })));
  }

  /** Puts many offers of one unit at the price of one, with all that belongs to them. */
  putOffers(owner: xdr.PublicKey, selling: xdr.Asset, buying: xdr.Asset, count: number): void {
    const sellingLine = this.line(owner, selling) ?? assert.fail('no line');
    const buyingLine = this.line(owner, buying) ?? assert.fail('no line');
    const account = this.get(owner);
    const numSubEntries = account.numSubEntries + count;
    this.putEntry(xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...account, numSubEntries })));
    const units = BigInt(count);
    for (const line of [
      withTrustlineLiabilities(sellingLine, { selling: units }),
      withTrustlineLiabilities(buyingLine, { buying: units }),
    ]) {
      this.putEntry(xdr.LedgerEntryData.trustline(line));
    }
    for (let n = 1n; n <= units; n++) {
      const offer = new xdr.OfferEntry({
        sellerId: owner,
        offerId: 1_000_000n + n,
        selling,
        buying,
        amount: 1n,
        price: price([1, 1]),
        flags: 0,
        ext: xdr.OfferEntryExt.v0(),
      });
      this.putEntry(xdr.LedgerEntryData.offer(offer));
    }
  }

  /** Applies an operation that has to succeed, and checks the liabilities of everybody. */
  must(source: Step[0], body: xdr.OperationBody): xdr.OperationResult {
    const { code, results, raw } = this.apply([source, body]);
    assert.equal(code, 'txSuccess', results.join());
    assertLiabilitiesMatchOffers(this.entries());
    return raw[0] ?? assert.fail('no result');
  }

  /** The offer and the claims that result from an offer operation that has to succeed. */
  trade(source: Step[0], body: xdr.OperationBody): OfferTrade {
    const result = this.must(source, body);
    assert.equal(result.type, 'opInner');
    const { tr } = result;
    if (tr.type !== 'manageSellOffer' && tr.type !== 'manageBuyOffer') return assert.fail(tr.type);
    const inner = tr.value;
    if (inner.type !== 'manageSellOfferSuccess' && inner.type !== 'manageBuyOfferSuccess') {
      return assert.fail(inner.type);
    }
    const { offer, offersClaimed } = inner.success;
    return {
      effect: offer.type,
      left: offer.type === 'manageOfferDeleted' ? undefined : offer.offer,
      claims: offersClaimed.map(claimed),
    };
  }

  /** The claims of a path payment that has to succeed, and the amount that arrived. */
  pay(source: Step[0], body: xdr.OperationBody): { claims: TestClaim[]; arrived: bigint } {
    const result = this.must(source, body);
    assert.equal(result.type, 'opInner');
    const { tr } = result;
    if (tr.type !== 'pathPaymentStrictReceive' && tr.type !== 'pathPaymentStrictSend') {
      return assert.fail(tr.type);
    }
    const inner = tr.value;
    if (
      inner.type !== 'pathPaymentStrictReceiveSuccess' &&
      inner.type !== 'pathPaymentStrictSendSuccess'
    ) {
      return assert.fail(inner.type);
    }
    return { claims: inner.success.offers.map(claimed), arrived: inner.success.last.amount };
  }

  /** The one result of an operation while some keys are frozen, and its changes if it succeeds. */
  whileFrozen(
    keys: readonly LedgerKeyId[],
    source: xdr.PublicKey,
    body: xdr.OperationBody,
  ): xdr.OperationResult {
    const ltx = new LedgerTxn(this.state);
    const frozen = new Set(keys);
    const frozenKeys: FrozenKeys = {
      any: true,
      has: (id) => frozen.has(id),
      bypasses: () => false,
    };
    const result = rulesFor(body.type)?.apply({
      ltx,
      body,
      source,
      muxedSource: muxedOfAccount(source),
      tx: {
        networkId: new Uint8Array(32),
        sourceAccount: source,
        seqNum: 1n,
        memo: xdr.Memo.memoNone(),
      },
      index: 0,
      events: droppedEvents,
      frozenKeys,
    });
    ltx.commit();
    return result ?? assert.fail('no rules');
  }

  balance(owner: xdr.PublicKey, asset: xdr.Asset): bigint {
    if (asset.type === 'assetTypeNative') return this.get(owner).balance;
    return this.line(owner, asset)?.balance ?? assert.fail('no line');
  }

  liabilities(owner: xdr.PublicKey, asset: xdr.Asset): { buying: bigint; selling: bigint } {
    const { buying, selling } =
      asset.type === 'assetTypeNative'
        ? accountExtension(this.get(owner)).liabilities
        : trustlineLiabilities(this.line(owner, asset) ?? assert.fail('no line'));
    return { buying, selling };
  }

  /** All open offers, oldest first. */
  offers(): xdr.OfferEntry[] {
    return this.entries()
      .flatMap(({ data }) => (data.type === 'offer' ? [data.offer] : []))
      .sort((a, b) => Number(a.offerId - b.offerId));
  }

  offersOf(owner: xdr.PublicKey): xdr.OfferEntry[] {
    return this.offers().filter(({ sellerId }) => sameAccount(sellerId, owner));
  }

  checkLiabilities(): void {
    assertLiabilitiesMatchOffers(this.entries());
  }

  pool(x: xdr.Asset, y: xdr.Asset): xdr.LiquidityPoolEntryConstantProduct {
    const entry = this.state.peek(liquidityPoolKeyId(poolIdOfAssets(x, y)));
    if (entry?.data.type !== 'liquidityPool') return assert.fail('no pool');
    return entry.data.liquidityPool.body.constantProduct;
  }
}

export interface OfferTrade {
  readonly effect: xdr.ManageOfferSuccessResultOffer['type'];
  readonly left: xdr.OfferEntry | undefined;
  readonly claims: readonly TestClaim[];
}

/** A claim as [whom, sold, bought]: an offer id or `pool`, what it gave, what it got. */
export type TestClaim = readonly [whom: bigint | 'pool', sold: bigint, bought: bigint];

function claimed(claim: xdr.ClaimAtom): TestClaim {
  if (claim.type === 'claimAtomTypeLiquidityPool') {
    return ['pool', claim.liquidityPool.amountSold, claim.liquidityPool.amountBought];
  }
  assert.equal(claim.type, 'claimAtomTypeOrderBook');
  const { offerId, amountSold, amountBought } = claim.orderBook;
  return [offerId, amountSold, amountBought];
}

const price = ([n, d]: TestPrice): xdr.Price => new xdr.Price({ n, d });

export function sellOp(
  selling: xdr.Asset,
  buying: xdr.Asset,
  amount: bigint,
  at: TestPrice = [1, 1],
  offerId = 0n,
): xdr.OperationBody {
  return OperationBody.manageSellOffer(
    new xdr.ManageSellOfferOp({ selling, buying, amount, price: price(at), offerId }),
  );
}

export function passiveOp(
  selling: xdr.Asset,
  buying: xdr.Asset,
  amount: bigint,
  at: TestPrice = [1, 1],
): xdr.OperationBody {
  return OperationBody.createPassiveSellOffer(
    new xdr.CreatePassiveSellOfferOp({ selling, buying, amount, price: price(at) }),
  );
}

/** The price is what one unit of the asset bought costs. */
export function buyOp(
  selling: xdr.Asset,
  buying: xdr.Asset,
  buyAmount: bigint,
  at: TestPrice = [1, 1],
  offerId = 0n,
): xdr.OperationBody {
  return OperationBody.manageBuyOffer(
    new xdr.ManageBuyOfferOp({ selling, buying, buyAmount, price: price(at), offerId }),
  );
}

export function receiveOp(
  sendAsset: xdr.Asset,
  sendMax: bigint,
  destination: xdr.PublicKey,
  destAsset: xdr.Asset,
  destAmount: bigint,
  path: xdr.Asset[] = [],
): xdr.OperationBody {
  return OperationBody.pathPaymentStrictReceive(
    new xdr.PathPaymentStrictReceiveOp({
      sendAsset,
      sendMax,
      destination: muxedOfAccount(destination),
      destAsset,
      destAmount,
      path,
    }),
  );
}

export function sendOp(
  sendAsset: xdr.Asset,
  sendAmount: bigint,
  destination: xdr.PublicKey,
  destAsset: xdr.Asset,
  destMin: bigint,
  path: xdr.Asset[] = [],
): xdr.OperationBody {
  return OperationBody.pathPaymentStrictSend(
    new xdr.PathPaymentStrictSendOp({
      sendAsset,
      sendAmount,
      destination: muxedOfAccount(destination),
      destAsset,
      destMin,
      path,
    }),
  );
}

export function depositOp(
  liquidityPoolId: xdr.PoolId,
  maxAmountA: bigint,
  maxAmountB: bigint,
  [minPrice, maxPrice]: readonly [TestPrice, TestPrice] = [
    [1, 2 ** 31 - 1],
    [2 ** 31 - 1, 1],
  ],
): xdr.OperationBody {
  return OperationBody.liquidityPoolDeposit(
    new xdr.LiquidityPoolDepositOp({
      liquidityPoolId,
      maxAmountA,
      maxAmountB,
      minPrice: price(minPrice),
      maxPrice: price(maxPrice),
    }),
  );
}

export function withdrawOp(
  liquidityPoolId: xdr.PoolId,
  amount: bigint,
  minAmountA = 0n,
  minAmountB = 0n,
): xdr.OperationBody {
  return OperationBody.liquidityPoolWithdraw(
    new xdr.LiquidityPoolWithdrawOp({ liquidityPoolId, amount, minAmountA, minAmountB }),
  );
}

/** Every account and trustline owes exactly what its owner's offers buy and sell (CAP-3). */
export function assertLiabilitiesMatchOffers(entries: readonly xdr.LedgerEntry[]): void {
  const owed = new Map<string, { buying: bigint; selling: bigint }>();
  const at = (owner: xdr.PublicKey, asset: xdr.Asset) => {
    const place = placeOf(owner, asset);
    const known = owed.get(place) ?? { buying: 0n, selling: 0n };
    owed.set(place, known);
    return known;
  };
  for (const { data } of entries) {
    if (data.type !== 'offer') continue;
    const { sellerId, buying, selling, price: asked, amount } = data.offer;
    assert.ok(amount > 0n, 'no empty offer stands');
    const liabilities = offerLiabilities(asked, amount);
    if (!isIssuer(sellerId, buying)) at(sellerId, buying).buying += liabilities.buying;
    if (!isIssuer(sellerId, selling)) at(sellerId, selling).selling += liabilities.selling;
  }
  for (const { data } of entries) {
    const [place, { buying, selling }] =
      data.type === 'account'
        ? [placeOf(data.account.accountId, NATIVE), accountExtension(data.account).liabilities]
        : data.type === 'trustline'
          ? [
              trustlineKeyId(data.trustLine.accountId, data.trustLine.asset),
              trustlineLiabilities(data.trustLine),
            ]
          : [undefined, { buying: 0n, selling: 0n }];
    if (place === undefined) continue;
    const expected = owed.get(place) ?? { buying: 0n, selling: 0n };
    assert.deepEqual({ buying, selling }, expected, 'liabilities match the offers');
  }
}

function placeOf(owner: xdr.PublicKey, asset: xdr.Asset): AccountIdString | LedgerKeyId {
  return asset.type === 'assetTypeNative'
    ? accountIdString(owner)
    : trustlineKeyId(owner, trustLineAssetOf(asset));
}
