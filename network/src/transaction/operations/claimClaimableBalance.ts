import { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import { accountKeyId, claimableBalanceKeyId } from '../../state/index.ts';
import {
  addBalance,
  assetLineKeyId,
  isHoldingAuthorized,
  isNative,
  loadHolding,
  sameAccount,
  updateHolding,
} from '../balances/index.ts';
import { returnReserveOfEntry } from '../sponsorship/index.ts';
import { balanceAddress, loadBalance } from './claimableBalance/balanceEntry.ts';
import { holdsPredicate } from './claimableBalance/claimPredicate.ts';
import type { OperationRules } from './operation.ts';

const R = xdr.ClaimClaimableBalanceResult;

/** ClaimClaimableBalance (CAP-23, CAP-77; stellar-core `ClaimClaimableBalanceOpFrame.cpp`). */
export const claimClaimableBalance: OperationRules<'claimClaimableBalance'> = {
  type: 'claimClaimableBalance',
  threshold: () => 'low',
  checkValid: () => undefined,

  apply({ ltx, body, source, muxedSource, events, frozenKeys }) {
    const { balanceId } = body.claimClaimableBalanceOp;
    const stored = loadBalance(ltx, balanceId);
    if (stored === undefined) return result(R.claimClaimableBalanceDoesNotExist());

    const { asset, amount, claimants } = stored.balance;
    const { closeTime } = ltx.header.scpValue;
    const claimant = claimants.find(({ v0 }) => sameAccount(v0.destination, source));
    if (claimant === undefined || !holdsPredicate(claimant.v0.predicate, closeTime)) {
      return result(R.claimClaimableBalanceCannotClaim());
    }
    if (isFrozen(frozenKeys, source, asset)) {
      return result(R.claimClaimableBalanceTrustlineFrozen());
    }

    const holding = loadHolding(ltx, source, asset);
    if (holding === undefined) return result(R.claimClaimableBalanceNoTrust());
    if (!isHoldingAuthorized(holding)) return result(R.claimClaimableBalanceNotAuthorized());
    const received = addBalance(ltx.header, holding, amount);
    if (received === undefined) return result(R.claimClaimableBalanceLineFull());
    updateHolding(ltx, received);

    returnReserveOfEntry(ltx, stored.entry, source);
    ltx.erase(claimableBalanceKeyId(balanceId));
    events.transfer(asset, balanceAddress(balanceId), muxedSource, amount, {
      allowMuxedIdOrMemo: true,
    });
    return result(R.claimClaimableBalanceSuccess());
  },
};

/** True if the network has frozen the entry that would receive the asset. */
function isFrozen(frozenKeys: FrozenKeys, claimant: xdr.PublicKey, asset: xdr.Asset): boolean {
  if (!frozenKeys.any) return false;
  return frozenKeys.has(isNative(asset) ? accountKeyId(claimant) : assetLineKeyId(claimant, asset));
}

function result(inner: xdr.ClaimClaimableBalanceResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.claimClaimableBalance(inner));
}
