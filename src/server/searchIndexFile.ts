import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BlockReader, type IndexFile, KeptDamaged } from './search/index.ts';

export const SEARCH_INDEX_FILE = 'search-index.bin';

/** What the file begins with; the last character is the version of its form. */
const MAGIC = Buffer.from('x402idx1');
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** Before each block: its length, and the digest of everything until its end. */
const PREFIX_BYTES = LENGTH_BYTES + DIGEST_BYTES;

/**
 * Keeps the search's index in a file of the data folder, which only its owner can read. Each block has a
 * digest over itself and the blocks before it, so that a torn, mixed or edited file is noticed. A new file
 * takes the old one's place when it is on the disk.
 */
export function searchIndexFile(dataFolder: string): IndexFile {
  const path = join(dataFolder, SEARCH_INDEX_FILE);
  return {
    async read() {
      const handle = await openExisting(path);
      if (handle === null) return null;
      try {
        return await readerOf(handle);
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    write: (blocks) => writeBlocks(path, blocks),
  };
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const chained = (before: Uint8Array, block: Uint8Array): Buffer =>
  createHash('sha256').update(before).update(block).digest();

async function readerOf(handle: FileHandle): Promise<BlockReader> {
  let left = (await handle.stat()).size;
  let digest: Uint8Array = MAGIC;
  async function take(length: number, memory?: Uint8Array): Promise<Uint8Array> {
    // Checked before memory is taken: a damaged length may say anything.
    if (length > left) throw new KeptDamaged('it is cut off');
    const bytes =
      memory !== undefined && memory.byteLength >= length
        ? memory.subarray(0, length)
        : new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await handle.read(bytes, done, length - done, null);
      if (bytesRead === 0) throw new KeptDamaged('it is cut off');
      done += bytesRead;
    }
    left -= length;
    return bytes;
  }
  if (!MAGIC.equals(await take(MAGIC.length))) throw new KeptDamaged('it has another form');
  return {
    async next(memory) {
      const prefix = Buffer.from((await take(PREFIX_BYTES)).buffer);
      const block = await take(prefix.readUInt32LE(0), memory);
      digest = chained(digest, block);
      if (!prefix.subarray(LENGTH_BYTES).equals(digest))
        throw new KeptDamaged('its digest does not match');
      return block;
    },
    ended: () => Promise.resolve(left === 0),
    close: () => handle.close(),
  };
}

async function writeBlocks(path: string, blocks: Iterable<Uint8Array>): Promise<number> {
  const draft = `${path}.draft`;
  try {
    const size = await writeDraft(draft, blocks);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return size;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(draft: string, blocks: Iterable<Uint8Array>): Promise<number> {
  const handle = await open(draft, 'w', 0o600);
  try {
    let digest: Uint8Array = MAGIC;
    let size = await writeAll(handle, MAGIC);
    for (const block of blocks) {
      digest = chained(digest, block);
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32LE(block.byteLength);
      prefix.set(digest, LENGTH_BYTES);
      size += await writeAll(handle, prefix);
      size += await writeAll(handle, block);
    }
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done);
    done += bytesWritten;
  }
  return done;
}

/** Makes a rename last. Windows cannot open folders, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Some systems refuse it for folders; the file is there in any case.
  }
}
