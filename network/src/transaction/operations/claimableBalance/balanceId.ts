import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../../../xdr/index.ts';
import type { TransactionFacts } from '../operation.ts';

/** The id of the claimable balance that the operation at `index` creates (CAP-23). */
export function createdBalanceId(tx: TransactionFacts, index: number): xdr.ClaimableBalanceId {
  return hashed(
    xdr.HashIdPreimage.envelopeTypeOpId(
      new xdr.HashIdPreimageOperationId({
        sourceAccount: tx.sourceAccount,
        seqNum: tx.seqNum,
        opNum: index,
      }),
    ),
  );
}

/**
 * The id of the claimable balance that receives one asset of a pool when the operation at `index` revokes a holder's
 * authorization (CAP-38).
 */
export function revokedBalanceId(
  tx: TransactionFacts,
  index: number,
  liquidityPoolId: xdr.PoolId,
  asset: xdr.Asset,
): xdr.ClaimableBalanceId {
  return hashed(
    xdr.HashIdPreimage.envelopeTypePoolRevokeOpId(
      new xdr.HashIdPreimageRevokeId({
        sourceAccount: tx.sourceAccount,
        seqNum: tx.seqNum,
        opNum: index,
        liquidityPoolId,
        asset,
      }),
    ),
  );
}

function hashed(preimage: xdr.HashIdPreimage): xdr.ClaimableBalanceId {
  return xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(
    createHash('sha256').update(encodeXdr(preimage)).digest(),
  );
}
