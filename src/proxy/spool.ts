import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** Bytes of a body that are kept in memory; more go to a file. */
export const MAX_MEMORY_BYTES = 1 << 20;

/** A whole body: in memory if it is short, else in a file. */
export interface StoredBody {
  readonly length: number;
  /** SHA-256, base64. */
  readonly digest: string;
  readonly bytes: Buffer | undefined;
  /** Path of the file. */
  readonly file: string | undefined;
}

/** Reads a stored body, as often as wanted. */
export function streamOf({ bytes, file }: Pick<StoredBody, 'bytes' | 'file'>): Readable {
  return file === undefined ? Readable.from([bytes ?? Buffer.alloc(0)]) : createReadStream(file);
}

/** Removes the file of a body. */
export async function discard({ file }: Pick<StoredBody, 'file'>): Promise<void> {
  if (file !== undefined) await rm(file, { force: true });
}

/** A body that arrives piece by piece, bounded. */
export class Spool {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #pieces: Buffer[] = [];
  #length = 0;
  #file: { readonly path: string; readonly handle: FileHandle } | undefined;

  /** @param folder for the file of a long body; must exist */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a piece. @returns whether there was room for it; it is not added otherwise */
  async add(piece: Buffer): Promise<boolean> {
    if (this.#length + piece.length > this.#maxBytes) return false;
    this.#length += piece.length;
    this.#hash.update(piece);
    if (this.#file === undefined && this.#length <= MAX_MEMORY_BYTES) {
      this.#pieces.push(piece);
      return true;
    }
    this.#file ??= await this.#openFile();
    await this.#file.handle.write(piece);
    return true;
  }

  async #openFile(): Promise<{ readonly path: string; readonly handle: FileHandle }> {
    const path = join(this.#folder, randomBytes(16).toString('hex'));
    const handle = await open(path, 'wx', 0o600);
    await handle.write(Buffer.concat(this.#pieces));
    this.#pieces = [];
    return { path, handle };
  }

  /** Returns what arrived so far and nothing else has; for a body that is passed on in pieces from here. */
  async taken(): Promise<StoredBody> {
    const bytes = this.#file === undefined ? Buffer.concat(this.#pieces) : undefined;
    if (this.#file !== undefined) {
      // What is sold has to be on the disk before its settlement is asked for.
      await this.#file.handle.sync();
      await this.#file.handle.close();
    }
    return {
      length: this.#length,
      digest: this.#length === 0 ? '' : this.#hash.digest('base64'),
      bytes,
      file: this.#file?.path,
    };
  }

  /** Drops everything. */
  async drop(): Promise<void> {
    if (this.#file === undefined) return;
    await this.#file.handle.close().catch(() => {});
    await rm(this.#file.path, { force: true });
  }
}
