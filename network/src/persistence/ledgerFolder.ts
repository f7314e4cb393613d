import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '../../../common/machine/lock/fileLock.ts';
import { LockError } from '../../../common/machine/lock/lockError.ts';
import type { LedgerStore } from '../history/index.ts';
import type { LedgerState } from '../state/index.ts';
import { writeFileAtomically } from './atomicFile.ts';
import { LedgerJournal } from './ledgerJournal.ts';
import { PersistenceError } from './persistenceError.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

/** Minimum number of journal bytes since the newest snapshot before another one is written. */
const SNAPSHOT_EVERY_BYTES = 4 << 20;
/** The same, for when the network stops and nobody has to wait for the snapshot. */
const SNAPSHOT_AT_CLOSE_BYTES = 1 << 16;

interface LedgerFolderOptions {
  readonly passphrase: string;
  /** Undefined: that of the folder, or a new one. */
  readonly seed: string | undefined;
  /** Returns the state of a new network. */
  readonly genesis: (identity: NetworkIdentity) => LedgerState;
}

/**
 * A network's data on disk: its identity, its closed ledgers, and an occasional snapshot of the state, so that a start reads
 * only the snapshot and the few ledgers since.
 */
export class LedgerFolder {
  readonly identity: NetworkIdentity;
  /**
   * The state of the newest snapshot, which its owner then changes. The later ledgers of `store` have to be applied before it
   * is used.
   */
  readonly state: LedgerState;
  readonly #folder: string;
  readonly #lock: FileLock;
  readonly #journal: LedgerJournal;
  #snapshotSize: number;

  /**
   * Locks the folder and reads its content.
   * @throws PersistenceError with any of its codes
   */
  static async open(dataFolder: string, options: LedgerFolderOptions): Promise<LedgerFolder> {
    const folder = join(dataFolder, 'ledger');
    const lock = await FileLock.acquire(join(folder, 'lock')).catch((error: unknown) => {
      throw inUse(error);
    });
    return new LedgerFolder(folder, lock, options);
  }

  private constructor(folder: string, lock: FileLock, options: LedgerFolderOptions) {
    this.#folder = folder;
    this.#lock = lock;
    try {
      this.identity = identifyNetwork(this.#folder, options);
      const snapshot = readSnapshot(this.#folder);
      this.state = snapshot?.state ?? options.genesis(this.identity);
      this.#snapshotSize = snapshot?.size ?? writeSnapshot(this.#folder, this.state);
      const { ledgerSeq } = this.state.header;
      this.#journal = new LedgerJournal(this.#folder, ledgerSeq + 1, () => this.#assertHeld());
      checkRange(this.#journal, ledgerSeq);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  get store(): LedgerStore {
    const journal = this.#journal;
    return {
      get first() {
        return journal.first;
      },
      get last() {
        return journal.last;
      },
      get size() {
        return journal.size;
      },
      append: (ledger) => journal.append(ledger),
      read: (sequence) => journal.read(sequence),
      beginAt: (first) => journal.beginAt(first, () => this.#writeSnapshot()),
      trim: (first) => journal.trim(first),
    };
  }

  /**
   * Writes a snapshot if the journal has grown enough: by more than the size of the state, so that snapshots never cost more
   * than ledgers.
   */
  snapshotIfDue(): void {
    if (this.#journal.sizeOfNewestFile < Math.max(SNAPSHOT_EVERY_BYTES, this.#snapshotSize)) return;
    this.#snapshot();
  }

  /** Closes the folder, prepared for a quick next start. */
  close(): void {
    try {
      if (!this.#lock.held) return;
      if (this.#journal.sizeOfNewestFile > SNAPSHOT_AT_CLOSE_BYTES) this.#snapshot();
      else this.#journal.sync();
    } finally {
      this.abandon();
    }
  }

  /** Closes the folder without writing, for when the state is unreliable. */
  abandon(): void {
    this.#journal.close();
    this.#lock.release();
  }

  #assertHeld(): void {
    try {
      this.#lock.assertHeld();
    } catch (error) {
      throw inUse(error);
    }
  }

  #snapshot(): void {
    this.#assertHeld();
    // A power failure must not destroy ledgers if the snapshot survives.
    this.#journal.sync();
    this.#writeSnapshot();
    this.#journal.rotate();
  }

  #writeSnapshot(): void {
    this.#snapshotSize = writeSnapshot(this.#folder, this.state);
  }
}

function inUse(error: unknown): unknown {
  return error instanceof LockError ? new PersistenceError('FOLDER_IN_USE', error.message) : error;
}

function checkRange({ first, last }: LedgerJournal, snapshot: number): void {
  if (first <= snapshot + 1 && last >= snapshot) return;
  throw new PersistenceError(
    'DAMAGED',
    `The journal has ledgers ${first} to ${last}, which do not follow the snapshot of ledger ${snapshot}.`,
  );
}

const FILE = 'network.json';
const LAYOUT = 1;

/** Identifies the network in a folder. Stored with mode 0600, because all genesis keys derive from the seed. */
export interface NetworkIdentity {
  readonly passphrase: string;
  readonly seed: string;
}

/** Creates a seed that nobody can guess. */
export function newSeed(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Reads the identity of the network in a folder, or writes it to an empty folder.
 * @param wanted the identity that the caller requires; an undefined seed is taken from the folder or created
 * @throws PersistenceError `OTHER_NETWORK`, `DAMAGED`
 */
function identifyNetwork(
  folder: string,
  wanted: { readonly passphrase: string; readonly seed: string | undefined },
): NetworkIdentity {
  const path = join(folder, FILE);
  const stored = readIdentity(path);
  if (stored === undefined) {
    requireEmpty(folder, path);
    const identity = { passphrase: wanted.passphrase, seed: wanted.seed ?? newSeed() };
    const text = `${JSON.stringify({ layout: LAYOUT, ...identity }, undefined, 2)}\n`;
    writeFileAtomically(path, [Buffer.from(text)]);
    return identity;
  }
  if (stored.passphrase !== wanted.passphrase) {
    throw other(
      `${folder} contains the network "${stored.passphrase}", not "${wanted.passphrase}"`,
    );
  }
  if (wanted.seed !== undefined && wanted.seed !== stored.seed) {
    throw other(`${folder} contains a network with another seed`);
  }
  return stored;
}

function readIdentity(path: string): NetworkIdentity | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const value = parse(text);
  if (value?.layout !== undefined && value.layout !== LAYOUT) {
    throw new PersistenceError(
      'OTHER_NETWORK',
      `A newer version of Svc x402 wrote ${path}. Run that version, or choose another data folder with --data-dir.`,
    );
  }
  const passphrase = value?.passphrase;
  const seed = value?.seed;
  if (typeof passphrase === 'string' && typeof seed === 'string') return { passphrase, seed };
  throw new PersistenceError('DAMAGED', `${path} does not identify the network in the folder.`);
}

/** The file is written before all others, so a folder that has ledgers but not this file has lost it. */
function requireEmpty(folder: string, path: string): void {
  if (!readdirSync(folder).some((name) => /^(ledgers|state)-/.test(name))) return;
  throw new PersistenceError(
    'DAMAGED',
    `${path} is missing, but ${folder} contains ledgers. Restore it from a backup, or choose another data folder.`,
  );
}

/** The content of the file before it is checked. */
interface Unchecked {
  readonly layout?: unknown;
  readonly passphrase?: unknown;
  readonly seed?: unknown;
}

function parse(text: string): Unchecked | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function other(what: string): PersistenceError {
  return new PersistenceError('OTHER_NETWORK', `${what}: choose another data folder.`);
}
