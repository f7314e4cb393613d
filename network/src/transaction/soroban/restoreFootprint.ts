import { xdr } from '@stellar/stellar-sdk';
import type { RentChange } from '../../host/index.ts';
import { entryXdr } from '../../state/index.ts';
import { type Archived, bringBack } from './bringBack.ts';
import { isEntrySizeAllowed, sizeForRent } from './entryLimits.ts';
import { type FootprintKey, footprintKey, type TtlKey } from './footprintKeys.ts';
import { consumeRefundable } from './resourceFee.ts';
import type { SorobanContext, SorobanResult } from './sorobanOperation.ts';

const R = xdr.RestoreFootprintResult;
const SUCCESS = R.restoreFootprintSuccess();
const RESOURCE_LIMIT_EXCEEDED = R.restoreFootprintResourceLimitExceeded();
const INSUFFICIENT_REFUNDABLE_FEE = R.restoreFootprintInsufficientRefundableFee();

/**
 * Restores the archived entries of the read-write footprint with the minimum TTL; entries that are live or absent are skipped
 * (stellar-core `RestoreFootprintOpFrame.cpp`).
 */
export function restoreFootprint(ctx: SorobanContext): SorobanResult {
  const result = run(ctx);
  return {
    result: xdr.OperationResult.opInner(xdr.OperationResultTr.restoreFootprint(result)),
    success: result === SUCCESS,
    events: [],
    returnValue: null,
  };
}

function run(ctx: SorobanContext): xdr.RestoreFootprintResult {
  const { tx, data, env, changes, refundable, log } = ctx;
  const { ledgerSeq } = changes;
  const liveUntil = ledgerSeq + env.settings.archival.minPersistentTtl - 1;
  const rents: RentChange[] = [];
  let bytes = 0;
  for (const key of data.resources.footprint.readWrite.map(footprintKey)) {
    const { ttl } = key;
    const archived = ttl === undefined ? undefined : findArchived(ctx, key, ttl);
    if (ttl === undefined || archived === undefined) continue;
    const { entry } = archived;
    const entryBytes = entryXdr(entry).length;
    bytes += entryBytes;
    if (!isWithin(ctx, bytes, data.resources.diskReadBytes, 'read')) return RESOURCE_LIMIT_EXCEEDED;
    if (!isEntrySizeAllowed(key.key, entryBytes, env.settings, log)) return RESOURCE_LIMIT_EXCEEDED;
    if (!isWithin(ctx, bytes, data.resources.writeBytes, 'write')) return RESOURCE_LIMIT_EXCEEDED;
    rents.push({
      persistent: true,
      code: key.key.type === 'contractCode',
      oldSize: 0,
      newSize: sizeForRent(entry, env.host),
      oldLiveUntil: 0,
      newLiveUntil: liveUntil,
    });
    bringBack(ctx.changes, key.id, ttl, archived, liveUntil);
  }
  const rentFee = env.host.rentFee(rents, ledgerSeq);
  return consumeRefundable(tx, env, refundable, rentFee, 0, log)
    ? SUCCESS
    : INSUFFICIENT_REFUNDABLE_FEE;
}

function findArchived(
  { changes }: SorobanContext,
  { id }: FootprintKey,
  ttl: TtlKey,
): Archived | undefined {
  const liveTtl = changes.peek(ttl.id);
  if (liveTtl?.data.type !== 'ttl') {
    const entry = changes.archived(id);
    // It counts as a new entry with the size of the entry as written.
    return entry === undefined ? undefined : { entry: changes.asOfNow(entry), liveTtl: undefined };
  }
  if (liveTtl.data.ttl.liveUntilLedgerSeq >= changes.ledgerSeq) return undefined;
  const entry = changes.peek(id);
  return entry === undefined ? undefined : { entry, liveTtl };
}

function isWithin(
  { log }: SorobanContext,
  bytes: number,
  limit: number,
  access: 'read' | 'write',
): boolean {
  if (bytes <= limit) return true;
  log.error(
    'sceBudget',
    'scecExceededLimit',
    `operation byte-${access} resources exceeds amount specified`,
    [bytes, limit],
  );
  return false;
}
