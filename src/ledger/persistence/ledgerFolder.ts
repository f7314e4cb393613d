import { join } from 'node:path';
import { applyRecordedChanges, ClosedLedger, type LedgerStore } from '../history/index.ts';
import type { LedgerState } from '../state/index.ts';
import { FolderLock } from './folderLock.ts';
import { LedgerJournal } from './ledgerJournal.ts';
import { identifyNetwork, type NetworkIdentity } from './networkIdentity.ts';
import { PersistenceError } from './persistenceError.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

/** Journal bytes behind the newest snapshot that make another one worth its while, at least. */
const SNAPSHOT_EVERY_BYTES = 1 << 20;
/** The same when the network stops, where it costs nobody's time. */
const SNAPSHOT_AT_CLOSE_BYTES = 1 << 16;

export interface LedgerFolderOptions {
  readonly passphrase: string;
  /** Left open: what the folder has, or a new one. */
  readonly seed: string | undefined;
  readonly networkId: Uint8Array;
  /** The state of a network that begins. */
  readonly genesis: (identity: NetworkIdentity) => LedgerState;
}

/**
 * A network's place on disk: who it is, its closed ledgers, and now and then a snapshot of the state behind one, so that
 * a start reads the snapshot and the few ledgers since.
 */
export class LedgerFolder {
  readonly identity: NetworkIdentity;
  /** The state behind the last closed ledger. */
  readonly state: LedgerState;
  readonly #folder: string;
  readonly #lock: FolderLock;
  readonly #journal: LedgerJournal;
  #snapshotSize: number;

  private constructor(
    folder: string,
    lock: FolderLock,
    identity: NetworkIdentity,
    journal: LedgerJournal,
    state: LedgerState,
    snapshotSize: number,
  ) {
    this.#folder = folder;
    this.#lock = lock;
    this.identity = identity;
    this.#journal = journal;
    this.state = state;
    this.#snapshotSize = snapshotSize;
  }

  /**
   * Takes the folder and brings back what it holds.
   * @throws PersistenceError with each of its codes
   */
  static open(dataFolder: string, options: LedgerFolderOptions): LedgerFolder {
    const folder = join(dataFolder, 'ledger');
    const lock = FolderLock.acquire(folder);
    try {
      const identity = identifyNetwork(folder, options);
      const snapshot = readSnapshot(folder);
      const state = snapshot?.state ?? options.genesis(identity);
      const size = snapshot?.size ?? writeSnapshot(folder, state);
      const journal = new LedgerJournal(folder, state.header.ledgerSeq + 1);
      try {
        catchUp(state, journal, options.networkId);
      } catch (error) {
        journal.close();
        throw error;
      }
      return new LedgerFolder(folder, lock, identity, journal, state, size);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get store(): LedgerStore {
    return this.#journal;
  }

  /**
   * Writes a snapshot when the journal has grown enough: more than the state itself, so that writing snapshots never
   * costs more than writing ledgers.
   */
  snapshotIfDue(): void {
    if (this.#journal.sizeOfNewestFile < Math.max(SNAPSHOT_EVERY_BYTES, this.#snapshotSize)) return;
    this.#snapshot();
  }

  close(): void {
    if (this.#journal.sizeOfNewestFile > SNAPSHOT_AT_CLOSE_BYTES) this.#snapshot();
    else this.#journal.sync();
    this.#journal.close();
    this.#lock.release();
  }

  #snapshot(): void {
    // The ledgers must not be lost to a power failure that the snapshot survives.
    this.#journal.sync();
    this.#snapshotSize = writeSnapshot(this.#folder, this.state);
    this.#journal.rotate();
  }
}

/** Applies the ledgers behind the snapshot, and proves that they lead where their headers say. */
function catchUp(state: LedgerState, journal: LedgerJournal, networkId: Uint8Array): void {
  const behind = state.header.ledgerSeq + 1;
  if (journal.first > behind || journal.last < behind - 1) {
    throw new PersistenceError(
      'DAMAGED',
      `The journal has ledgers ${journal.first} to ${journal.last}, the snapshot ledger ${behind - 1}.`,
    );
  }
  for (let sequence = behind; sequence <= journal.last; sequence++) {
    const bytes = journal.read(sequence);
    if (bytes === undefined)
      throw new PersistenceError('DAMAGED', `Ledger ${sequence} is missing.`);
    const { meta, header } = ClosedLedger.read(networkId, bytes);
    if (header.ledgerSeq !== sequence) {
      throw new PersistenceError('DAMAGED', `Ledger ${sequence} says it is ${header.ledgerSeq}.`);
    }
    applyRecordedChanges(state, meta);
  }
  const expected = Buffer.from(state.header.bucketListHash.value);
  if (!state.stateHash().equals(expected)) {
    throw new PersistenceError(
      'DAMAGED',
      `The state behind ledger ${state.header.ledgerSeq} is not the one whose hash its header has.`,
    );
  }
}
