import { type PlainXdr, readPlain } from './plainXdr.ts';

/** The parts of a `SorobanTransactionData` that every settlement needs. */
export interface PlainResources {
  /** Number of archived entries, which the transaction restores (CAP-66). */
  readonly archived: number;
  /** Stroops. */
  readonly resourceFee: bigint;
}

/** Reads a `SorobanTransactionData`. Throws if it has another than a plain form. */
export function readResources(xdr: PlainXdr): PlainResources {
  let archived = 0;
  if (xdr.bool()) {
    xdr.skipList(() => {
      xdr.skip(4);
      archived += 1;
    });
  }
  xdr.skipList(() => xdr.skipLedgerKey());
  xdr.skipList(() => xdr.skipLedgerKey());
  // Instructions, bytes read from disk, bytes written.
  xdr.skip(12);
  return { archived, resourceFee: xdr.int64() };
}

/** Reads the bytes of a `SorobanTransactionData`; `undefined` if they have another than a plain form. */
export function plainResources(bytes: Buffer): PlainResources | undefined {
  return readPlain(bytes, readResources);
}
