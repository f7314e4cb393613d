import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { xdr } from '@stellar/stellar-sdk';
import { ReplayError } from './replayError.ts';

/** A file of recorded ledgers. */
export interface ReplayFile {
  readonly path: string;
  readonly folder: string;
  /** The name of its test case, if an index next to the file has one. */
  readonly name: string;
}

const EXTENSION = '.xdr';
const INDEX = 'index.json';

/** The files for a list of paths: a file itself, or all `.xdr` files below a folder, in order. */
export function replayFiles(paths: readonly string[]): ReplayFile[] {
  const files = paths.flatMap(filesBelow);
  const names = new Map<string, ReadonlyMap<string, string>>();
  return files.map((path) => {
    const folder = dirname(path);
    const index = names.get(folder) ?? readIndex(folder);
    names.set(folder, index);
    const stem = basename(path, EXTENSION);
    return { path, folder: basename(folder), name: index.get(stem) ?? stem };
  });
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .flatMap((child) =>
      statSync(child).isDirectory() || child.endsWith(EXTENSION) ? filesBelow(child) : [],
    );
}

/** An index names the test case of each file; not every folder has one. */
function readIndex(folder: string): ReadonlyMap<string, string> {
  try {
    const index: unknown = JSON.parse(readFileSync(join(folder, INDEX), 'utf8'));
    if (typeof index !== 'object' || index === null) return new Map();
    return new Map(Object.entries(index).map(([file, name]) => [file, String(name)]));
  } catch {
    return new Map();
  }
}

const LENGTH_BYTES = 4;
/** Set in the length of every record that is the last fragment of its message: all of them. */
const LAST_FRAGMENT = 0x8000_0000;

/**
 * The ledgers of a file: `LedgerCloseMeta` records framed as an XDR stream (RFC 5531), each preceded by its length.
 *
 * @throws ReplayError `bad_framing`, `bad_record`, `unsupported_meta`
 */
export function* closedLedgers(bytes: Uint8Array): Generator<xdr.LedgerCloseMetaV2> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    if (at + LENGTH_BYTES > bytes.length) throw new ReplayError('bad_framing', `at byte ${at}`);
    const mark = view.getUint32(at);
    const start = at + LENGTH_BYTES;
    const end = start + (mark % LAST_FRAGMENT);
    if (mark < LAST_FRAGMENT || end > bytes.length) {
      throw new ReplayError('bad_framing', `at byte ${at}`);
    }
    yield decode(bytes.subarray(start, end));
    at = end;
  }
}

function decode(bytes: Uint8Array): xdr.LedgerCloseMetaV2 {
  let meta: xdr.LedgerCloseMeta;
  try {
    meta = xdr.LedgerCloseMeta.fromXdr(bytes);
  } catch (error) {
    throw new ReplayError('bad_record', error instanceof Error ? error.message : String(error));
  }
  if (meta.type !== 'v2') throw new ReplayError('unsupported_meta', `found ${meta.type}`);
  return meta.v2;
}
