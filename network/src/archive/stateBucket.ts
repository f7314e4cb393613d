import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import type { LedgerState } from '../state/index.ts';

/** All live entries of a ledger as one bucket. */
export interface StateBucket {
  /** SHA-256 of the bytes, in hex, by which the bucket is requested. */
  readonly hash: string;
  readonly bytes: Buffer;
}

/** Marks the last fragment of a record (RFC 5531, section 11). */
const LAST_PART = 0x80000000;

/** Discriminant of `LIVEENTRY` in `BucketEntry`, as XDR. */
const LIVE = Buffer.from([0, 0, 0, 0]);

/**
 * Writes the live entries of a state as a bucket of a history archive: first the kind of bucket, then the entries sorted by
 * key.
 */
export function stateBucket(state: LedgerState): StateBucket {
  const meta = xdr.BucketEntry.metaentry(
    new xdr.BucketMetadata({
      ledgerVersion: state.header.ledgerVersion,
      ext: xdr.BucketMetadataExt.bucketListType(xdr.BucketListType.live),
    }),
  );
  const entries = [...state.entries()].sort((one, other) => (one.id < other.id ? -1 : 1));
  const parts = [...record(meta.toXdr()), ...entries.flatMap((entry) => record(LIVE, entry.xdr))];
  const bytes = Buffer.concat(parts);
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** A record of a stream, preceded by its length. */
export function record(...parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const mark = Buffer.alloc(4);
  mark.writeUInt32BE((LAST_PART | length) >>> 0);
  return [mark, ...parts];
}
