import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString, offerKeyId } from '../../state/index.ts';
import { accountOfMuxed, compareAssets } from '../../transaction/balances/index.ts';
import { type Claim, claimsOf, isPoolClaim, movedNothing, offerLeftBy } from './claims.ts';
import { dataOf, type HistoryOperation, poolDelta } from './historyOperation.ts';

/** One side of a trade. */
export interface TradeSide {
  readonly asset: xdr.Asset;
  /** The amount that it gave. */
  readonly amount: bigint;
  readonly account: AccountIdString | undefined;
  /** The id of the offer, or one that represents an operation that left no offer. */
  readonly offerId: bigint | undefined;
  readonly poolId: xdr.PoolId | undefined;
}

/** A fraction; not reduced. */
export interface TradePrice {
  readonly n: bigint;
  readonly d: bigint;
}

/** Two assets that were traded. */
export interface Trade {
  readonly operation: HistoryOperation;
  /** Its position among the operation's exchanges, from 0. */
  readonly order: number;
  /** The side whose asset sorts first, so that each pair of assets has only one order. */
  readonly base: TradeSide;
  readonly counter: TradeSide;
  /** Whether the offer or pool was on the base side. */
  readonly baseIsSeller: boolean;
  /** Price of the base in units of the counter asset: that of the offer, or the one at which the pool exchanged. */
  readonly price: TradePrice;
  /** The pool's fee in hundredths of a percent. */
  readonly poolFee: number | undefined;
}

/** Marks ids that represent operations that left no offer (Horizon `EncodeOfferId`). */
const OPERATION_AS_OFFER = 1n << 62n;

/** The trades of an operation (Horizon `trades_processor`). */
export function tradesOf(operation: HistoryOperation): Trade[] {
  const left = offerLeftBy(operation);
  const taker = {
    account: accountIdString(accountOfMuxed(operation.source)),
    offerId: left?.offerId ?? operation.id | OPERATION_AS_OFFER,
    poolId: undefined,
  };
  return claimsOf(operation).flatMap((claim, order): Trade[] => {
    if (movedNothing(claim)) return [];
    const pool = isPoolClaim(claim);
    const seller: TradeSide = {
      asset: claim.assetSold,
      amount: claim.amountSold,
      account: pool ? undefined : accountIdString(claim.sellerId),
      offerId: pool ? undefined : claim.offerId,
      poolId: pool ? claim.liquidityPoolId : undefined,
    };
    const buyer: TradeSide = { ...taker, asset: claim.assetBought, amount: claim.amountBought };
    const price = priceOf(operation, claim);
    const sold = { operation, order, poolFee: poolFeeOf(operation, claim) };
    return compareAssets(claim.assetSold, claim.assetBought) <= 0
      ? [{ ...sold, base: seller, counter: buyer, baseIsSeller: true, price }]
      : [
          {
            ...sold,
            base: buyer,
            counter: seller,
            baseIsSeller: false,
            price: { n: price.d, d: price.n },
          },
        ];
  });
}

/** Negative if the first price is lower. */
export function comparePriceOf(a: TradePrice, b: TradePrice): number {
  const [left, right] = [a.n * b.d, b.n * a.d];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** A trade seen from the other side. */
export function reversed(trade: Trade): Trade {
  const { base, counter, baseIsSeller, price } = trade;
  return {
    ...trade,
    base: counter,
    counter: base,
    baseIsSeller: !baseIsSeller,
    price: { n: price.d, d: price.n },
  };
}

/** The seller's price per unit: that of the offer before the operation, or the resulting one for a pool. */
function priceOf({ deltas }: HistoryOperation, claim: Claim): TradePrice {
  const traded = { n: claim.amountBought, d: claim.amountSold };
  if (isPoolClaim(claim)) return traded;
  const id = offerKeyId(claim.sellerId, claim.offerId);
  const before = deltas.find((delta) => delta.id === id)?.before;
  const price = dataOf(before, 'offer')?.offer.price;
  return price === undefined ? traded : { n: BigInt(price.n), d: BigInt(price.d) };
}

function poolFeeOf({ deltas }: HistoryOperation, claim: Claim): number | undefined {
  if (!isPoolClaim(claim)) return undefined;
  return poolDelta(deltas, claim.liquidityPoolId)?.pool.body.constantProduct.params.fee;
}
