import type { xdr } from '@stellar/stellar-sdk';
import type { ResourceFee } from '../../host/index.ts';
import type { DiagnosticLog } from '../diagnostics/index.ts';
import { type InnerTransaction, isSorobanBody } from '../envelope/index.ts';
import { footprintKey } from '../soroban/index.ts';

const INT64_MAX = 2n ** 63n - 1n;

/** A Soroban operation must be the only one in its transaction. */
export function areOperationsConsistent({ operations, isSoroban }: InnerTransaction): boolean {
  if (isSoroban) return operations.length === 1;
  return operations.every(({ body }) => !isSorobanBody(body));
}

/** Invocations must not have a memo or multiplexed sources (CAP-67, since protocol 25). */
export function isMemoAllowed({ memo, muxedSource, operations }: InnerTransaction): boolean {
  const [operation] = operations;
  if (operation?.body.type !== 'invokeHostFunction') return true;
  return (
    memo.type === 'memoNone' &&
    muxedSource.type !== 'keyTypeMuxedEd25519' &&
    operation.muxedSource.type !== 'keyTypeMuxedEd25519'
  );
}

/**
 * True if the declared resource fee covers the declared resources and, unless a fee bump pays,
 * the bid covers the resource fee.
 */
export function isResourceFeeValid(
  tx: InnerTransaction,
  declared: bigint,
  needed: ResourceFee,
  paysItself: boolean,
  log: DiagnosticLog,
): boolean {
  if (paysItself && declared > tx.fee) {
    log.error(
      'sceValue',
      'scecExceededLimit',
      'transaction `sorobanData.resourceFee` is higher than the full transaction fee',
      [declared, tx.fee],
    );
    return false;
  }
  const { refundable, nonRefundable } = needed;
  const sum = refundable + nonRefundable;
  if (sum > INT64_MAX) {
    log.error(
      'sceValue',
      'scecInvalidInput',
      'transaction resource fees cannot be added without overflow',
      [refundable, nonRefundable],
    );
    return false;
  }
  if (declared < sum) {
    log.error(
      'sceValue',
      'scecExceededLimit',
      'transaction `sorobanData.resourceFee` is lower than the actual Soroban resource fee',
      [declared, sum],
    );
    return false;
  }
  return true;
}

/** A footprint must not contain a key twice. */
export function areFootprintKeysUnique(
  { readOnly, readWrite }: xdr.LedgerFootprint,
  log: DiagnosticLog,
): boolean {
  const ids = new Set([...readOnly, ...readWrite].map((key) => footprintKey(key).id));
  if (ids.size === readOnly.length + readWrite.length) return true;
  log.error(
    'sceStorage',
    'scecInvalidInput',
    'Found duplicate key in the Soroban footprint; every key across read-only and read-write footprints has to be unique.',
  );
  return false;
}
