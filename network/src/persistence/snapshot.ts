import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { xdr } from '@stellar/stellar-sdk';
import { LedgerState, ledgerKeyIdOfXdr, ledgerKeyXdr } from '../state/index.ts';
import { writeFileAtomically } from './atomicFile.ts';
import { PersistenceError } from './persistenceError.ts';
import { FRAME_HEADER_BYTES, type FramePlace, frameOf, walkFrames } from './xdrFrames.ts';

/*
 * A snapshot is the entire state after one ledger, in frames: the header, the numbers of live and archived entries, the key and
 * entry of each, and finally the SHA-256 of everything before it.
 */

const SNAPSHOT = /^state-(\d{10})\.xdr$/;
const CHUNK_BYTES = 1 << 20;
const NOWHERE: FramePlace = { offset: 0, length: 0 };

/** Writes the state, then removes older snapshots. Returns the bytes written. */
export function writeSnapshot(folder: string, state: LedgerState): number {
  const sequence = state.header.ledgerSeq;
  let size = 0;
  writeFileAtomically(
    snapshotPath(folder, sequence),
    counted(chunks(state), (bytes) => {
      size += bytes;
    }),
  );
  for (const other of sequencesIn(folder)) {
    if (other !== sequence) rmSync(snapshotPath(folder, other), { force: true });
  }
  return size;
}

/** A state that was read from a file, and the size of that file. */
export interface ReadSnapshot {
  readonly state: LedgerState;
  readonly size: number;
}

/** Reads the newest snapshot; undefined if there is none. @throws PersistenceError `DAMAGED` */
export function readSnapshot(folder: string): ReadSnapshot | undefined {
  const newest = sequencesIn(folder).at(-1);
  if (newest === undefined) return undefined;
  const path = snapshotPath(folder, newest);
  const bytes = readFileSync(path);
  const state = decodeState(bytes);
  if (state === undefined) {
    throw new PersistenceError(
      'DAMAGED',
      `${path} is damaged: its content is not what was written to it.`,
    );
  }
  return { state, size: bytes.length };
}

/** Encodes the entire state in the format of a snapshot file. */
export function encodeState(state: LedgerState): Buffer {
  return Buffer.concat([...chunks(state)]);
}

/** Decodes the format of `encodeState`; undefined if the bytes are anything else. */
export function decodeState(bytes: Buffer): LedgerState | undefined {
  const { places, tail } = walkFrames(bytes);
  const digestPlace = places.at(-1);
  if (tail !== 'none' || digestPlace === undefined || places.length < 3) return undefined;
  const at = (index: number): Buffer => {
    const { offset, length } = places[index] ?? NOWHERE;
    return bytes.subarray(offset, offset + length);
  };
  const hashed = bytes.subarray(0, digestPlace.offset - FRAME_HEADER_BYTES);
  const digest = createHash('sha256').update(hashed).digest();
  if (!digest.equals(at(places.length - 1))) return undefined;

  const state = new LedgerState(xdr.LedgerHeader.fromXdr(at(0)));
  const live = at(1).readUInt32BE(0);
  const archived = at(1).readUInt32BE(4);
  if (places.length !== 3 + 2 * (live + archived)) return undefined;
  let next = 2;
  for (let entry = 0; entry < live; entry++, next += 2) {
    state.putXdr(ledgerKeyIdOfXdr(at(next)), Uint8Array.from(at(next + 1)));
  }
  for (let entry = 0; entry < archived; entry++, next += 2) {
    state.archive(ledgerKeyIdOfXdr(at(next)), xdr.LedgerEntry.fromXdr(at(next + 1)));
  }
  return state;
}

function* chunks(state: LedgerState): Generator<Uint8Array> {
  const hash = createHash('sha256');
  let waiting: Uint8Array[] = [];
  let size = 0;
  for (const value of values(state)) {
    const frame = frameOf(value);
    waiting.push(frame);
    size += frame.length;
    if (size < CHUNK_BYTES) continue;
    const chunk = Buffer.concat(waiting);
    hash.update(chunk);
    yield chunk;
    waiting = [];
    size = 0;
  }
  const rest = Buffer.concat(waiting);
  hash.update(rest);
  yield rest;
  yield frameOf(hash.digest());
}

function* values(state: LedgerState): Generator<Uint8Array> {
  yield state.header.toXdr();
  const archived = state.archivedEntries();
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(state.size, 0);
  counts.writeUInt32BE(archived.size, 4);
  yield counts;
  for (const { id, xdr: entry } of state.entries()) {
    yield ledgerKeyXdr(id);
    yield entry;
  }
  for (const [id, entry] of archived) {
    yield ledgerKeyXdr(id);
    yield entry.toXdr();
  }
}

function* counted(
  chunks: Iterable<Uint8Array>,
  count: (bytes: number) => void,
): Generator<Uint8Array> {
  for (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

function sequencesIn(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => SNAPSHOT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

function snapshotPath(folder: string, sequence: number): string {
  return join(folder, `state-${String(sequence).padStart(10, '0')}.xdr`);
}
