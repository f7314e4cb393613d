import type { xdr } from '@stellar/stellar-sdk';
import {
  accountOfMuxed,
  assetOfCode,
  poolIdOf,
  TRUSTLINE_FLAGS,
} from '../../transaction/balances/index.ts';
import { accountFields, accountText } from '../format/address.ts';
import { amountText } from '../format/amount.ts';
import { type AssetFields, assetFields } from '../format/asset.ts';
import { trustlineFlagFields } from '../format/flags.ts';
import { hexText } from '../format/hex.ts';

export function changeTrustDetails(op: xdr.ChangeTrustOp, source: xdr.MuxedAccount) {
  const line = changeTrustLine(op);
  return {
    ...line,
    limit: amountText(op.limit),
    trustee: line.asset_issuer,
    ...accountFields('trustor', source),
  };
}

/** The trusted asset, or the shares of a pool. */
export function changeTrustLine({
  line,
}: xdr.ChangeTrustOp): AssetFields & { readonly liquidity_pool_id?: string } {
  return line.type === 'assetTypePoolShare'
    ? {
        asset_type: 'liquidity_pool_shares',
        liquidity_pool_id: hexText(poolIdOf(line.liquidityPool).value),
      }
    : assetFields(line);
}

export function allowTrustDetails(op: xdr.AllowTrustOp, source: xdr.MuxedAccount) {
  const authorize = (op.authorize & TRUSTLINE_FLAGS.authorized) !== 0;
  const maintain = (op.authorize & TRUSTLINE_FLAGS.authorizedToMaintainLiabilities) !== 0;
  return {
    ...assetFields(assetOfCode(accountOfMuxed(source), op.asset)),
    ...accountFields('trustee', source),
    trustor: accountText(op.trustor),
    authorize,
    authorize_to_maintain_liabilities: authorize || maintain,
  };
}

export function setTrustLineFlagsDetails(op: xdr.SetTrustLineFlagsOp) {
  return {
    ...assetFields(op.asset),
    trustor: accountText(op.trustor),
    ...trustlineFlagFields('set', op.setFlags),
    ...trustlineFlagFields('clear', op.clearFlags),
  };
}

export function clawbackDetails(op: xdr.ClawbackOp) {
  return {
    ...assetFields(op.asset),
    ...accountFields('from', op.from),
    amount: amountText(op.amount),
  };
}
