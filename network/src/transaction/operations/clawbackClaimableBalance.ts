import { xdr } from '@stellar/stellar-sdk';
import { claimableBalanceKeyId } from '../../state/index.ts';
import { isIssuer } from '../balances/index.ts';
import { returnReserveOfEntry } from '../sponsorship/index.ts';
import {
  balanceAddress,
  isBalanceClawbackEnabled,
  loadBalance,
} from './claimableBalance/balanceEntry.ts';
import type { OperationRules } from './operation.ts';

const R = xdr.ClawbackClaimableBalanceResult;

/** ClawbackClaimableBalance (CAP-35; stellar-core `ClawbackClaimableBalanceOpFrame.cpp`). */
export const clawbackClaimableBalance: OperationRules<'clawbackClaimableBalance'> = {
  type: 'clawbackClaimableBalance',
  threshold: () => 'medium',
  checkValid: () => undefined,

  apply({ ltx, body: { clawbackClaimableBalanceOp: op }, source, events }) {
    const stored = loadBalance(ltx, op.balanceId);
    if (stored === undefined) return result(R.clawbackClaimableBalanceDoesNotExist());
    const { entry, balance } = stored;
    if (!isIssuer(source, balance.asset)) return result(R.clawbackClaimableBalanceNotIssuer());
    if (!isBalanceClawbackEnabled(balance)) {
      return result(R.clawbackClaimableBalanceNotClawbackEnabled());
    }
    returnReserveOfEntry(ltx, entry, source);
    ltx.erase(claimableBalanceKeyId(op.balanceId));
    events.clawback(balance.asset, balanceAddress(op.balanceId), balance.amount);
    return result(R.clawbackClaimableBalanceSuccess());
  },
};

function result(inner: xdr.ClawbackClaimableBalanceResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.clawbackClaimableBalance(inner));
}
