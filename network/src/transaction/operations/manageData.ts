import { xdr } from '@stellar/stellar-sdk';
import { dataKeyId } from '../../state/index.ts';
import {
  payReserveOfNewEntry,
  returnReserveOfEntry,
  sponsorshipFailureResult,
} from '../sponsorship/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';
import { isPrintableAscii } from './printableText.ts';

const { ManageDataResult } = xdr;

/** Sets, changes or deletes a named value of the source (stellar-core `ManageDataOpFrame.cpp`). */
export const manageData: OperationRules<'manageData'> = {
  type: 'manageData',
  threshold: () => 'medium',
  checkValid({ manageDataOp: { dataName } }) {
    return dataName.length < 1 || !isPrintableAscii(dataName)
      ? result(ManageDataResult.manageDataInvalidName())
      : undefined;
  },
  apply,
};

function apply({ ltx, source, body }: OperationContext<'manageData'>): xdr.OperationResult {
  const { dataName, dataValue } = body.manageDataOp;
  const id = dataKeyId(source, dataName);
  const entry = ltx.load(id);
  if (dataValue === null) {
    if (entry === undefined) return result(ManageDataResult.manageDataNameNotFound());
    returnReserveOfEntry(ltx, entry, source);
    ltx.erase(id);
    return result(ManageDataResult.manageDataSuccess());
  }

  const data = xdr.LedgerEntryData.data(
    new xdr.DataEntry({ accountId: source, dataName, dataValue, ext: xdr.DataEntryExt.v0() }),
  );
  if (entry !== undefined) {
    ltx.update(new xdr.LedgerEntry({ ...entry, data }));
    return result(ManageDataResult.manageDataSuccess());
  }
  const paid = payReserveOfNewEntry(ltx, data, source);
  if (!paid.ok) {
    const lowReserve = result(ManageDataResult.manageDataLowReserve());
    return sponsorshipFailureResult(paid.failure, lowReserve);
  }
  ltx.create(paid.entry);
  return result(ManageDataResult.manageDataSuccess());
}

function result(inner: xdr.ManageDataResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.manageData(inner));
}
