import { xdr } from '@stellar/stellar-sdk';
import { mustLoadAccount, updateAccount, withSequenceTime } from '../balances/index.ts';
import type { OperationRules } from './operation.ts';

const { BumpSequenceResult } = xdr;

/**
 * Raises the sequence number of the source. A number that is not higher neither fails nor changes anything, but the time of the
 * change is recorded anyway (CAP-21; `BumpSequenceOpFrame.cpp`).
 */
export const bumpSequence: OperationRules<'bumpSequence'> = {
  type: 'bumpSequence',
  threshold: () => 'low',
  checkValid({ bumpSequenceOp: { bumpTo } }) {
    return bumpTo < 0n ? result(BumpSequenceResult.bumpSequenceBadSeq()) : undefined;
  },
  apply({ ltx, source, body: { bumpSequenceOp } }) {
    const account = mustLoadAccount(ltx, source);
    const { bumpTo } = bumpSequenceOp;
    const isHigher = bumpTo > account.seqNum;
    const bumped = isHigher ? new xdr.AccountEntry({ ...account, seqNum: bumpTo }) : account;
    updateAccount(ltx, withSequenceTime(bumped, ltx.header));
    return result(BumpSequenceResult.bumpSequenceSuccess());
  },
};

function result(inner: xdr.BumpSequenceResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.bumpSequence(inner));
}
