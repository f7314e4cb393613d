import { xdr } from '@stellar/stellar-sdk';
import type { FootprintEntry } from '../../host/index.ts';
import { entryXdr } from '../../state/index.ts';
import { bringBack } from './bringBack.ts';
import { isEntrySizeAllowed } from './entryLimits.ts';
import {
  archivedIndices,
  type FootprintKey,
  footprintKey,
  isPersistentKey,
} from './footprintKeys.ts';
import type { InvocationMetrics } from './invocationMetrics.ts';
import type { SorobanContext } from './sorobanOperation.ts';

/** Why a footprint cannot be loaded. */
export type FootprintFailure = 'resourceLimitExceeded' | 'entryArchived';

/** The entries of a footprint in the host's form: read-only first, null for missing ones. */
export interface LoadedFootprint {
  readonly entries: readonly (FootprintEntry | null)[];
  /** Positions in the read-write footprint of entries that were restored. */
  readonly restoredIndices: readonly number[];
}

/**
 * Loads the entries of an invocation's footprint, restoring the archived ones that the transaction
 * marked (CAP-66; stellar-core `InvokeHostFunctionApplyHelper::addFootprint`).
 */
export function loadFootprint(
  ctx: SorobanContext,
  metrics: InvocationMetrics,
): LoadedFootprint | FootprintFailure {
  return new FootprintLoader(ctx, metrics).load();
}

class FootprintLoader {
  readonly #ctx: SorobanContext;
  readonly #metrics: InvocationMetrics;
  readonly #marked: ReadonlySet<number>;
  readonly #restoredLiveUntil: number;
  readonly #entries: (FootprintEntry | null)[] = [];
  readonly #restoredIndices: number[] = [];

  constructor(ctx: SorobanContext, metrics: InvocationMetrics) {
    this.#ctx = ctx;
    this.#metrics = metrics;
    this.#marked = new Set(archivedIndices(ctx.data));
    const { minPersistentTtl } = ctx.env.settings.archival;
    this.#restoredLiveUntil = ctx.changes.ledgerSeq + minPersistentTtl - 1;
  }

  load(): LoadedFootprint | FootprintFailure {
    const { readOnly, readWrite } = this.#ctx.data.resources.footprint;
    for (const key of readOnly) {
      const failure = this.#loadKey(footprintKey(key), undefined);
      if (failure !== undefined) return failure;
    }
    for (const [index, key] of readWrite.entries()) {
      const failure = this.#loadKey(footprintKey(key), index);
      if (failure !== undefined) return failure;
    }
    return { entries: this.#entries, restoredIndices: this.#restoredIndices };
  }

  /** @param writeIndex the position in the read-write footprint; undefined for read-only keys */
  #loadKey(key: FootprintKey, writeIndex: number | undefined): FootprintFailure | undefined {
    const { changes } = this.#ctx;
    if (key.ttl === undefined) return this.#loadClassic(key);
    const ttl = changes.peek(key.ttl.id);
    if (ttl?.data.type !== 'ttl') {
      if (isPersistentKey(key.key) && changes.wasRestored(key.id)) return this.#addDeleted();
      const archived = isPersistentKey(key.key) ? changes.archived(key.id) : undefined;
      if (archived === undefined) return this.#addAbsent();
      return this.#restore(key, archived, undefined, writeIndex);
    }
    const { liveUntilLedgerSeq } = ttl.data.ttl;
    if (liveUntilLedgerSeq >= changes.ledgerSeq) {
      return this.#addLive(key, key.ttl.hash, liveUntilLedgerSeq);
    }
    const expired = isPersistentKey(key.key) ? changes.peek(key.id) : undefined;
    if (expired === undefined) return this.#addAbsent();
    return this.#restore(key, expired, ttl, writeIndex);
  }

  #loadClassic({ key, id, size }: FootprintKey): FootprintFailure | undefined {
    const entry = this.#ctx.changes.peek(id);
    const bytes = entry === undefined ? undefined : entryXdr(entry);
    this.#entries.push(bytes === undefined ? null : { entry: bytes, ttl: null });
    return this.#meterDiskRead(key, size, bytes?.length ?? 0);
  }

  /** Adds an entry that was restored and deleted again in this ledger, for which no read is counted. */
  #addDeleted(): undefined {
    this.#entries.push(null);
  }

  #addAbsent(): undefined {
    this.#entries.push(null);
    this.#metrics.noteMemoryRead();
  }

  #addLive(
    { key, id }: FootprintKey,
    keyHash: Uint8Array,
    liveUntil: number,
  ): FootprintFailure | undefined {
    const { changes, env, log } = this.#ctx;
    const entry = changes.peek(id);
    if (entry === undefined) return this.#addAbsent();
    const bytes = entryXdr(entry);
    this.#entries.push({ entry: bytes, ttl: { keyHash, liveUntil } });
    if (!isEntrySizeAllowed(key, bytes.length, env.settings, log)) return 'resourceLimitExceeded';
    this.#metrics.noteMemoryRead();
    return undefined;
  }

  #restore(
    { key, id, size, ttl }: FootprintKey,
    entry: xdr.LedgerEntry,
    liveTtl: xdr.LedgerEntry | undefined,
    writeIndex: number | undefined,
  ): FootprintFailure | undefined {
    const { changes, env, log } = this.#ctx;
    if (ttl === undefined || writeIndex === undefined || !this.#marked.has(writeIndex)) {
      this.#tellArchived(key);
      return 'entryArchived';
    }
    const bytes = entryXdr(entry);
    if (!isEntrySizeAllowed(key, bytes.length, env.settings, log)) return 'resourceLimitExceeded';
    const failure = this.#meterDiskRead(key, size, bytes.length);
    if (failure !== undefined) return failure;
    const liveUntil = this.#restoredLiveUntil;
    bringBack(changes, id, ttl, { entry, liveTtl }, liveUntil);
    this.#entries.push({ entry: bytes, ttl: { keyHash: ttl.hash, liveUntil } });
    this.#restoredIndices.push(writeIndex);
    return undefined;
  }

  #meterDiskRead(
    key: xdr.LedgerKey,
    keyBytes: number,
    entryBytes: number,
  ): FootprintFailure | undefined {
    const { data, log } = this.#ctx;
    this.#metrics.noteDiskRead(key.type === 'contractCode', keyBytes, entryBytes);
    const { diskReadBytes } = data.resources;
    if (this.#metrics.readBytes <= diskReadBytes) return undefined;
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'operation byte-read resources exceeds amount specified',
      [this.#metrics.readBytes, diskReadBytes],
    );
    return 'resourceLimitExceeded';
  }

  #tellArchived(key: xdr.LedgerKey): void {
    const { log } = this.#ctx;
    if (key.type === 'contractCode') {
      log.error(
        'sceValue',
        'scecInvalidInput',
        'trying to access an archived contract code entry',
        [xdr.ScVal.scvBytes(key.contractCode.hash.value)],
      );
    } else if (key.type === 'contractData') {
      const { contract, key: dataKey } = key.contractData;
      log.error(
        'sceValue',
        'scecInvalidInput',
        'trying to access an archived contract data entry',
        [xdr.ScVal.scvAddress(contract), dataKey],
      );
    }
  }
}
