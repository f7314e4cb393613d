import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { xdr } from '@stellar/stellar-sdk';
import { RpcError, type RunningLedger } from '../../network/src/index.ts';
import { CliError } from './cliError.ts';
import type { LedgerCommand } from './commandOptions.ts';

/** A saved state: the result of `svc_dumpState`, and the values that a network needs to continue from it. */
interface SavedState {
  readonly passphrase: string;
  readonly state: string;
  readonly protocol?: 27 | 28;
  /** Seed for the keys of its genesis accounts. */
  readonly seed?: string;
}

/** The state that a network starts from, and the file it is saved to. */
export interface StateFiles {
  /** The options that the network starts with: those of the command, completed from the file. */
  readonly options: LedgerCommand;
  readonly saved: SavedState | undefined;
  /** Absolute path. */
  readonly saveTo: string | undefined;
}

/**
 * Reads what `--state`, `--load-state` and `--dump-state` name. A network that continues from a file is kept in memory.
 * @throws CliError if options contradict each other or a file cannot be used
 */
export async function openStateFiles(command: LedgerCommand): Promise<StateFiles> {
  const { state, loadState, dumpState, fork } = command;
  if (state !== undefined && (loadState !== undefined || dumpState !== undefined)) {
    throw usage('--state both loads and saves. Omit --load-state and --dump-state.');
  }
  if (command.stateInterval !== undefined && (state ?? dumpState) === undefined) {
    throw usage('--state-interval needs --state or --dump-state.');
  }
  const from = loadState ?? state;
  if (from !== undefined && fork !== undefined) {
    throw usage('A saved state cannot be loaded into a fork. Omit --fork or the state.');
  }
  const to = dumpState ?? state;
  const saveTo = to === undefined ? undefined : resolve(to);
  if (saveTo !== undefined) await requireWritable(saveTo, 'The state');
  if (from === undefined) return { options: command, saved: undefined, saveTo };

  const saved = await readState(resolve(from), state !== undefined);
  const seed = command.seed ?? saved?.seed ?? randomBytes(32).toString('hex');
  const protocol = command.protocol ?? saved?.protocol;
  const passphrase = command.passphrase ?? saved?.passphrase;
  const options = {
    ...command,
    inMemory: true,
    seed,
    ...(protocol === undefined ? {} : { protocol }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
  return { options, saved, saveTo };
}

/** Replaces the state of a network that was just started. @throws CliError if the network refuses the state */
export async function loadState(
  ledger: RunningLedger,
  { passphrase, state }: SavedState,
): Promise<void> {
  try {
    await ledger.control('svc_loadState', { passphrase, state });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw usage(`The saved state cannot be loaded: ${error.message}.`, error);
  }
}

/** Seconds between saves of a state that changes, unless an option says otherwise. */
const SAVE_EVERY_SECONDS = 10;
/** A save is followed by a pause that is so many times as long, so that a large state costs at most 2 % of the time. */
const PAUSE_FACTOR = 50;

/**
 * Saves the state of a network to a file at intervals while its entries change, so that a killed process loses little.
 * @param onFault called with each failure that differs from the one before; the next interval tries again
 * @returns a handle whose `close` waits for a save under way
 */
export function keepSaving(
  ledger: RunningLedger,
  path: string,
  seed: string | undefined,
  everySeconds: number | undefined,
  onFault: (fault: Error) => void,
): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const run = async (): Promise<void> => {
    const everyMs = (everySeconds ?? SAVE_EVERY_SECONDS) * 1_000;
    let saved: string | undefined;
    let failed: string | undefined;
    for (let waitMs = everyMs; ; ) {
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const begun = performance.now();
      try {
        const entries = await entriesHash(ledger);
        if (entries !== saved) await saveState(ledger, path, seed);
        saved = entries;
        failed = undefined;
      } catch (error) {
        const fault = error instanceof Error ? error : new Error(String(error));
        if (fault.message !== failed) onFault(fault);
        failed = fault.message;
      }
      waitMs = Math.max(everyMs, PAUSE_FACTOR * (performance.now() - begun));
    }
  };
  const running = run();
  return {
    close: () => {
      end.abort();
      return running;
    },
  };
}

/** Returns the hash of all entries, which stays the same while ledgers without changes close. */
async function entriesHash(ledger: RunningLedger): Promise<string> {
  const { headerXdr } = (await ledger.call('getLatestLedger')) as { headerXdr: string };
  const { bucketListHash } = xdr.LedgerHeader.fromXdr(headerXdr, 'base64');
  return Buffer.from(bucketListHash.value).toString('hex');
}

/**
 * Saves the state of a network in a file that only its owner can read, because it contains the seed. Atomic. @throws CliError
 */
export async function saveState(
  ledger: RunningLedger,
  path: string,
  seed: string | undefined,
): Promise<void> {
  const { protocolVersion } = (await ledger.call('getNetwork')) as { protocolVersion: unknown };
  const dump = await ledger.control('svc_dumpState');
  const text = JSON.stringify({ ...dump, protocol: Number(protocolVersion), seed });
  const draft = `${path}.${process.pid}`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new CliError('failed', `Could not save the state in ${path} (${reasonOf(error)}).`, {
      cause: error,
    });
  }
}

/** @param mayBeMissing whether the file may be missing because the state has not been saved yet */
async function readState(path: string, mayBeMissing: boolean): Promise<SavedState | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const reason = reasonOf(error);
    if (mayBeMissing && reason === 'ENOENT') return undefined;
    throw usage(`The state in ${path} cannot be read (${reason}).`, error);
  }
  const saved = parseState(text);
  if (saved !== undefined) return saved;
  throw usage(`${path} is not a saved state. Save one with --dump-state.`);
}

function parseState(text: string): SavedState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { passphrase, state, protocol, seed } = value as Record<string, unknown>;
  if (typeof passphrase !== 'string' || typeof state !== 'string') return undefined;
  return {
    passphrase,
    state,
    ...(protocol === 27 || protocol === 28 ? { protocol } : {}),
    ...(typeof seed === 'string' && seed !== '' ? { seed } : {}),
  };
}

/** @throws CliError at the start rather than when the network stops, when the state would be lost */
export async function requireWritable(path: string, what: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw usage(`${what} cannot be saved in ${path} (${reasonOf(error)}).`, error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function usage(message: string, cause?: unknown): CliError {
  return new CliError('usage', message, cause === undefined ? undefined : { cause });
}
