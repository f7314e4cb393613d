import type { xdr } from '@stellar/stellar-sdk';
import type { HistoryOperation } from './historyOperation.ts';

/** An exchange with an offer or a pool, from the maker's point of view: "sold" and "bought" are the maker's. */
export type Claim = xdr.ClaimOfferAtom | xdr.ClaimLiquidityAtom;

type OfferSuccess = xdr.ManageOfferSuccessResult;

/** The exchanges of an operation in order, including those that moved nothing. */
export function claimsOf(operation: HistoryOperation): Claim[] {
  return atomsOf(operation).flatMap((atom): Claim[] => {
    if (atom.type === 'claimAtomTypeOrderBook') return [atom.orderBook];
    return atom.type === 'claimAtomTypeLiquidityPool' ? [atom.liquidityPool] : [];
  });
}

export function isPoolClaim(claim: Claim): claim is xdr.ClaimLiquidityAtom {
  return 'liquidityPoolId' in claim;
}

/** True for offers that were removed from the book without any exchange. */
export function movedNothing({ amountSold, amountBought }: Claim): boolean {
  return amountSold === 0n && amountBought === 0n;
}

/** The offer that an operation left in the book, if any. */
export function offerLeftBy(operation: HistoryOperation): xdr.OfferEntry | undefined {
  const offer = offerSuccessOf(operation)?.offer;
  return offer === undefined || offer.type === 'manageOfferDeleted' ? undefined : offer.offer;
}

function atomsOf(operation: HistoryOperation): readonly xdr.ClaimAtom[] {
  const receive = operation.result('pathPaymentStrictReceive')?.pathPaymentStrictReceiveResult;
  if (receive?.type === 'pathPaymentStrictReceiveSuccess') return receive.success.offers;
  const send = operation.result('pathPaymentStrictSend')?.pathPaymentStrictSendResult;
  if (send?.type === 'pathPaymentStrictSendSuccess') return send.success.offers;
  return offerSuccessOf(operation)?.offersClaimed ?? [];
}

function offerSuccessOf(operation: HistoryOperation): OfferSuccess | undefined {
  const sell =
    operation.result('manageSellOffer')?.manageSellOfferResult ??
    operation.result('createPassiveSellOffer')?.createPassiveSellOfferResult;
  if (sell?.type === 'manageSellOfferSuccess') return sell.success;
  const buy = operation.result('manageBuyOffer')?.manageBuyOfferResult;
  return buy?.type === 'manageBuyOfferSuccess' ? buy.success : undefined;
}
