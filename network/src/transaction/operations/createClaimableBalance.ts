import { xdr } from '@stellar/stellar-sdk';
import { accountIdString } from '../../state/index.ts';
import {
  addBalance,
  type Holding,
  isAssetValid,
  isClawbackEnabled,
  isClawbackEnabledOnAccount,
  isHoldingAuthorized,
  loadHolding,
  mustLoadAccount,
  updateHolding,
} from '../balances/index.ts';
import { payReserveOfNewEntry, sponsorshipFailureResult } from '../sponsorship/index.ts';
import { balanceAddress, newBalance } from './claimableBalance/balanceEntry.ts';
import { createdBalanceId } from './claimableBalance/balanceId.ts';
import { isPredicateValid, resolvePredicate } from './claimableBalance/claimPredicate.ts';
import type { OperationRules } from './operation.ts';

const R = xdr.CreateClaimableBalanceResult;

/** CreateClaimableBalance (CAP-23; stellar-core `CreateClaimableBalanceOpFrame.cpp`). */
export const createClaimableBalance: OperationRules<'createClaimableBalance'> = {
  type: 'createClaimableBalance',
  threshold: () => 'medium',

  checkValid({ createClaimableBalanceOp: op }) {
    const destinations = op.claimants.map(({ v0 }) => accountIdString(v0.destination));
    const valid =
      isAssetValid(op.asset) &&
      op.amount > 0n &&
      op.claimants.length > 0 &&
      new Set(destinations).size === destinations.length &&
      op.claimants.every(({ v0 }) => isPredicateValid(v0.predicate));
    return valid ? undefined : result(R.createClaimableBalanceMalformed());
  },

  apply({ ltx, body: { createClaimableBalanceOp: op }, source, muxedSource, tx, index, events }) {
    const { asset, amount } = op;
    const creator = mustLoadAccount(ltx, source);
    const holding = loadHolding(ltx, source, asset);
    if (holding === undefined) return result(R.createClaimableBalanceNoTrust());
    if (!isHoldingAuthorized(holding)) return result(R.createClaimableBalanceNotAuthorized());
    const paid = addBalance(ltx.header, holding, -amount);
    if (paid === undefined) return result(R.createClaimableBalanceUnderfunded());
    updateHolding(ltx, paid);

    const balanceId = createdBalanceId(tx, index);
    const data = newBalance(
      { balanceId, asset, amount, claimants: storedClaimants(op.claimants, ltx.header) },
      mayBeClawedBack(holding, creator),
    );
    const reserve = payReserveOfNewEntry(ltx, data, source);
    if (!reserve.ok) {
      return sponsorshipFailureResult(
        reserve.failure,
        result(R.createClaimableBalanceLowReserve()),
      );
    }
    ltx.create(reserve.entry);
    events.transfer(asset, muxedSource, balanceAddress(balanceId), amount, {
      allowMuxedIdOrMemo: true,
    });
    return result(R.createClaimableBalanceSuccess(balanceId));
  },
};

/** The balance inherits the clawback flag from the trustline or from the issuer itself. */
function mayBeClawedBack(holding: Holding, creator: xdr.AccountEntry): boolean {
  return holding.kind === 'issuer'
    ? isClawbackEnabledOnAccount(creator)
    : isClawbackEnabled(holding);
}

function storedClaimants(
  claimants: readonly xdr.Claimant[],
  header: xdr.LedgerHeader,
): xdr.Claimant[] {
  return claimants.map(({ v0: { destination, predicate } }) =>
    xdr.Claimant.claimantTypeV0(
      new xdr.ClaimantV0({
        destination,
        predicate: resolvePredicate(predicate, header.scpValue.closeTime),
      }),
    ),
  );
}

function result(inner: xdr.CreateClaimableBalanceResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.createClaimableBalance(inner));
}
