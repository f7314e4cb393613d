import { xdr } from '@stellar/stellar-sdk';
import { muxedOfAccount } from '../../src/transaction/balances/index.ts';

const { ClaimPredicate, OperationBody } = xdr;

/** Bodies of the operations about authorization, clawback and claimable balances, for tests. */

export function allowTrustOp(
  trustor: xdr.PublicKey,
  code: string,
  authorize: number,
): xdr.OperationBody {
  const asset = xdr.AssetCode.assetTypeCreditAlphanum4(new xdr.AssetCode4(code));
  return OperationBody.allowTrust(new xdr.AllowTrustOp({ trustor, asset, authorize }));
}

export function trustFlagsOp(
  trustor: xdr.PublicKey,
  asset: xdr.Asset,
  flags: { readonly set?: number; readonly clear?: number },
): xdr.OperationBody {
  return OperationBody.setTrustLineFlags(
    new xdr.SetTrustLineFlagsOp({
      trustor,
      asset,
      setFlags: flags.set ?? 0,
      clearFlags: flags.clear ?? 0,
    }),
  );
}

export function clawbackOp(
  from: xdr.PublicKey | xdr.MuxedAccount,
  asset: xdr.Asset,
  amount: bigint,
): xdr.OperationBody {
  const address = xdr.MuxedAccount.is(from) ? from : muxedOfAccount(from);
  return OperationBody.clawback(new xdr.ClawbackOp({ from: address, asset, amount }));
}

export function createBalanceOp(
  asset: xdr.Asset,
  amount: bigint,
  ...claimants: readonly (xdr.PublicKey | xdr.Claimant)[]
): xdr.OperationBody {
  return OperationBody.createClaimableBalance(
    new xdr.CreateClaimableBalanceOp({
      asset,
      amount,
      claimants: claimants.map((who) => (xdr.Claimant.is(who) ? who : claimant(who))),
    }),
  );
}

export function claimOp(balanceId: xdr.ClaimableBalanceId): xdr.OperationBody {
  return OperationBody.claimClaimableBalance(new xdr.ClaimClaimableBalanceOp({ balanceId }));
}

export function clawbackBalanceOp(balanceId: xdr.ClaimableBalanceId): xdr.OperationBody {
  return OperationBody.clawbackClaimableBalance(new xdr.ClawbackClaimableBalanceOp({ balanceId }));
}

export function claimant(
  destination: xdr.PublicKey,
  predicate: xdr.ClaimPredicate = ClaimPredicate.claimPredicateUnconditional(),
): xdr.Claimant {
  return xdr.Claimant.claimantTypeV0(new xdr.ClaimantV0({ destination, predicate }));
}

/** Predicates by short names: `not(before(100n))`, `within(60n)`. */
export const when = {
  always: (): xdr.ClaimPredicate => ClaimPredicate.claimPredicateUnconditional(),
  before: (time: bigint): xdr.ClaimPredicate =>
    ClaimPredicate.claimPredicateBeforeAbsoluteTime(time),
  within: (seconds: bigint): xdr.ClaimPredicate =>
    ClaimPredicate.claimPredicateBeforeRelativeTime(seconds),
  not: (part: xdr.ClaimPredicate | null): xdr.ClaimPredicate =>
    ClaimPredicate.claimPredicateNot(part),
  and: (...parts: xdr.ClaimPredicate[]): xdr.ClaimPredicate =>
    ClaimPredicate.claimPredicateAnd(parts),
  or: (...parts: xdr.ClaimPredicate[]): xdr.ClaimPredicate =>
    ClaimPredicate.claimPredicateOr(parts),
};

/** The balance that a result of `CreateClaimableBalance` names. */
export function balanceIdIn(result: xdr.OperationResult | undefined): xdr.ClaimableBalanceId {
  if (result?.type === 'opInner' && result.tr.type === 'createClaimableBalance') {
    const { createClaimableBalanceResult: created } = result.tr;
    if (created.type === 'createClaimableBalanceSuccess') return created.balanceId;
  }
  throw new RangeError('no claimable balance was created');
}
