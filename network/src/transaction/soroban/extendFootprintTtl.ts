import { xdr } from '@stellar/stellar-sdk';
import type { RentChange } from '../../host/index.ts';
import { entryXdr } from '../../state/index.ts';
import { isEntrySizeAllowed, sizeForRent } from './entryLimits.ts';
import { footprintKey, isPersistentKey } from './footprintKeys.ts';
import { consumeRefundable } from './resourceFee.ts';
import { withLiveUntil } from './sorobanLedger.ts';
import type { SorobanContext, SorobanResult } from './sorobanOperation.ts';

const R = xdr.ExtendFootprintTtlResult;
const SUCCESS = R.extendFootprintTtlSuccess();
const RESOURCE_LIMIT_EXCEEDED = R.extendFootprintTtlResourceLimitExceeded();
const INSUFFICIENT_REFUNDABLE_FEE = R.extendFootprintTtlInsufficientRefundableFee();

/**
 * Extends the TTL of every live entry of the read-only footprint to `extendTo` ledgers from this
 * one; entries that are archived, absent or already have such a TTL are skipped
 * (stellar-core `ExtendFootprintTTLOpFrame.cpp`).
 */
export function extendFootprintTtl(ctx: SorobanContext, extendTo: number): SorobanResult {
  const result = run(ctx, extendTo);
  return {
    result: xdr.OperationResult.opInner(xdr.OperationResultTr.extendFootprintTtl(result)),
    success: result === SUCCESS,
    events: [],
    returnValue: null,
  };
}

function run(ctx: SorobanContext, extendTo: number): xdr.ExtendFootprintTtlResult {
  const { tx, data, env, changes, refundable, log } = ctx;
  const { ledgerSeq } = changes;
  const newLiveUntil = ledgerSeq + extendTo;
  const rents: RentChange[] = [];
  for (const { key, id, ttl } of data.resources.footprint.readOnly.map(footprintKey)) {
    const ttlEntry = ttl === undefined ? undefined : changes.peek(ttl.id);
    const entry = changes.peek(id);
    if (ttl === undefined || ttlEntry?.data.type !== 'ttl' || entry === undefined) continue;
    const oldLiveUntil = ttlEntry.data.ttl.liveUntilLedgerSeq;
    if (oldLiveUntil < ledgerSeq || oldLiveUntil >= newLiveUntil) continue;
    if (!isEntrySizeAllowed(key, entryXdr(entry).length, env.settings, log)) {
      return RESOURCE_LIMIT_EXCEEDED;
    }
    const size = sizeForRent(entry, env.host);
    rents.push({
      persistent: isPersistentKey(key),
      code: key.type === 'contractCode',
      oldSize: size,
      newSize: size,
      oldLiveUntil,
      newLiveUntil,
    });
    changes.put(ttl.id, withLiveUntil(ttlEntry, newLiveUntil));
  }
  const rentFee = env.host.rentFee(rents, ledgerSeq);
  return consumeRefundable(tx, env, refundable, rentFee, 0, log)
    ? SUCCESS
    : INSUFFICIENT_REFUNDABLE_FEE;
}
