import { xdr } from '@stellar/stellar-sdk';
import {
  accountOfMuxed,
  addTrustlineBalanceUnauthorized,
  isAssetValid,
  isClawbackEnabledOnLine,
  isIssuer,
  loadTrustlineEntry,
  sameAccount,
  trustLineAssetOf,
  updateTrustline,
} from '../balances/index.ts';
import type { OperationRules } from './operation.ts';

const R = xdr.ClawbackResult;

/** Clawback (CAP-35; stellar-core `ClawbackOpFrame.cpp`). */
export const clawback: OperationRules<'clawback'> = {
  type: 'clawback',
  threshold: () => 'medium',

  checkValid({ clawbackOp: { from, amount, asset } }, source) {
    // As in stellar-core, a multiplexed address of the source passes this check; it has no trustline.
    const fromSelf = from.type === 'keyTypeEd25519' && sameAccount(accountOfMuxed(from), source);
    const valid = !fromSelf && amount >= 1n && isAssetValid(asset) && isIssuer(source, asset);
    return valid ? undefined : result(R.clawbackMalformed());
  },

  apply({
    ltx,
    body: {
      clawbackOp: { from, amount, asset },
    },
    events,
  }) {
    const line = loadTrustlineEntry(ltx, accountOfMuxed(from), trustLineAssetOf(asset));
    if (line === undefined) return result(R.clawbackNoTrust());
    if (!isClawbackEnabledOnLine(line)) return result(R.clawbackNotClawbackEnabled());
    const rest = addTrustlineBalanceUnauthorized(line, -amount);
    if (rest === undefined) return result(R.clawbackUnderfunded());
    updateTrustline(ltx, rest);
    events.clawback(asset, from, amount);
    return result(R.clawbackSuccess());
  },
};

function result(inner: xdr.ClawbackResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.clawback(inner));
}
