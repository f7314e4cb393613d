import { xdr } from '@stellar/stellar-sdk';
import { LedgerFault } from './ledgerFault.ts';

const NO_LIABILITIES = new xdr.Liabilities({ buying: 0n, selling: 0n });

export function trustlineLiabilities(line: xdr.TrustLineEntry): xdr.Liabilities {
  return line.ext.type === 'v0' ? NO_LIABILITIES : line.ext.v1.liabilities;
}

/** The trustline with these liabilities; raises it to extension v1. */
export function withTrustlineLiabilities(
  line: xdr.TrustLineEntry,
  liabilities: { readonly buying?: bigint; readonly selling?: bigint },
): xdr.TrustLineEntry {
  return withExtension(
    line,
    new xdr.Liabilities({ ...trustlineLiabilities(line), ...liabilities }),
    line.ext.type === 'v0' ? xdr.TrustLineEntryV1Ext.v0() : line.ext.v1.ext,
  );
}

/** The number of pools with the trustline's asset of which this account has shares (CAP-38). */
export function poolUseCount(line: xdr.TrustLineEntry): number {
  return line.ext.type === 'v1' && line.ext.v1.ext.type === 'v2'
    ? line.ext.v1.ext.v2.liquidityPoolUseCount
    : 0;
}

/** True if the trustline has the extension that counts pools. */
function hasPoolUseCount(line: xdr.TrustLineEntry): boolean {
  return line.ext.type === 'v1' && line.ext.v1.ext.type === 'v2';
}

/** The trustline with its pool use count incremented; raises it to extension v2. */
export function withPoolUse(line: xdr.TrustLineEntry): xdr.TrustLineEntry {
  return withPoolUseCount(line, poolUseCount(line) + 1);
}

/** The trustline with its pool use count decremented. Throws if no pool uses it. */
export function withoutPoolUse(line: xdr.TrustLineEntry): xdr.TrustLineEntry {
  if (!hasPoolUseCount(line)) throw new LedgerFault('extension_missing');
  const count = poolUseCount(line) - 1;
  if (count < 0) throw new LedgerFault('pool_counter_negative');
  return withPoolUseCount(line, count);
}

function withPoolUseCount(line: xdr.TrustLineEntry, count: number): xdr.TrustLineEntry {
  return withExtension(
    line,
    trustlineLiabilities(line),
    xdr.TrustLineEntryV1Ext.v2(
      new xdr.TrustLineEntryExtensionV2({
        liquidityPoolUseCount: count,
        ext: xdr.TrustLineEntryExtensionV2Ext.v0(),
      }),
    ),
  );
}

function withExtension(
  line: xdr.TrustLineEntry,
  liabilities: xdr.Liabilities,
  ext: xdr.TrustLineEntryV1Ext,
): xdr.TrustLineEntry {
  return new xdr.TrustLineEntry({
    ...line,
    ext: xdr.TrustLineEntryExt.v1(new xdr.TrustLineEntryV1({ liabilities, ext })),
  });
}
