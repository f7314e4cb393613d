import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { xdr } from '@stellar/stellar-sdk';
import type { LedgerService } from '../close/index.ts';
import type { LedgerState } from '../state/index.ts';

/** Maximum number of entries in a state that is archived: it is written in one go, while everything else waits. */
const MAX_ENTRIES = 200_000;
/** Limits the share of time spent on archiving: after an archive is made, none follows for this many times its duration. */
const REST = 20;
/** How many archives are kept: a reader might still be reading the previous one. */
const KEPT = 3;
/** Levels of a bucket list. */
const LEVELS = 11;
/** Ledgers per header file. */
const CHECKPOINT = 64;

const NO_BUCKET = '0'.repeat(64);
const compressed = promisify(gzip);

interface ArchivedLedger {
  readonly ledger: number;
  readonly hash: string;
  /** Compressed. */
  readonly bucket: Promise<Buffer>;
}

/**
 * The parts of a history archive that a reader of the network's state needs: the newest ledger, with all entries in one bucket,
 * and ledger headers. The bucket list hash in those headers is that of this network's own state, not of the bucket. Archived
 * entries, transactions and results are not included.
 */
export class HistoryArchive {
  readonly #service: LedgerService;
  readonly #passphrase: string;
  #archived: readonly ArchivedLedger[] = [];
  /** When the next archive is allowed, in milliseconds of `performance.now()`. */
  #notBefore = 0;

  constructor(service: LedgerService, passphrase: string) {
    this.#service = service;
    this.#passphrase = passphrase;
  }

  /** `.well-known/stellar-history.json`: the newest ledger. @throws ArchiveError */
  newest(): object {
    return this.#historyOf(this.#archive());
  }

  /** `history-….json` of a ledger that was archived. */
  history(ledger: number): object | undefined {
    const found = this.#archived.find((one) => one.ledger === ledger);
    return found && this.#historyOf(found);
  }

  /** `bucket-….xdr.gz`, by its hash in hex. */
  bucket(hash: string): Promise<Buffer> | undefined {
    return this.#archived.find((one) => one.hash === hash)?.bucket;
  }

  /** `ledger-….xdr.gz`: the headers of a checkpoint up to a ledger, as far as history has them. */
  headers(upTo: number): Promise<Buffer> | undefined {
    const { history } = this.#service;
    const parts: Uint8Array[] = [];
    const last = Math.min(upTo, history.latestSequence);
    const first = Math.max(upTo - CHECKPOINT + 1, history.oldestSequence);
    for (let sequence = first; sequence <= last; sequence += 1) {
      const ledger = history.ledger(sequence);
      if (ledger !== undefined) parts.push(...record(ledger.headerXdr));
    }
    return parts.length === 0 ? undefined : compressed(Buffer.concat(parts));
  }

  #archive(): ArchivedLedger {
    const { state } = this.#service.engine;
    const [newest] = this.#archived;
    const { ledgerSeq: ledger } = state.header;
    const now = performance.now();
    if (newest !== undefined && (newest.ledger === ledger || now < this.#notBefore)) return newest;
    if (state.size > MAX_ENTRIES) {
      throw new ArchiveError(
        'STATE_TOO_LARGE',
        `The state has ${state.size} entries; an archive holds at most ${MAX_ENTRIES}. Use svc_dumpState instead.`,
      );
    }
    const { hash, bytes } = stateBucket(state);
    const bucket = compressed(bytes);
    // Prevents an unhandled rejection: those who request the bucket get the error, but perhaps nobody does.
    bucket.catch(() => {});
    this.#archived = [{ ledger, hash, bucket }, ...this.#archived].slice(0, KEPT);
    const end = performance.now();
    this.#notBefore = end + REST * (end - now);
    return { ledger, hash, bucket };
  }

  #historyOf({ ledger, hash }: ArchivedLedger): object {
    const level = (curr: string) => ({ curr, next: { state: 0 }, snap: NO_BUCKET });
    const levels = (first: string) =>
      Array.from({ length: LEVELS }, (_, at) => level(at === 0 ? first : NO_BUCKET));
    return {
      version: 2,
      server: 'svc-x402',
      currentLedger: ledger,
      networkPassphrase: this.#passphrase,
      currentBuckets: levels(hash),
      hotArchiveBuckets: levels(NO_BUCKET),
    };
  }
}

/** All live entries of a ledger as one bucket. */
interface StateBucket {
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
function stateBucket(state: LedgerState): StateBucket {
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
function record(...parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const mark = Buffer.alloc(4);
  mark.writeUInt32BE((LAST_PART | length) >>> 0);
  return [mark, ...parts];
}

/** The state cannot be archived. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code: 'STATE_TOO_LARGE';

  constructor(code: 'STATE_TOO_LARGE', message: string) {
    super(message);
    this.code = code;
  }
}
