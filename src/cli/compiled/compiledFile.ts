import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';

const HASH_BYTES = 32;
/** Only the owner can read and write. */
const MODE = 0o600;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** The cached code of one bundle: a SHA-256 and V8's data. */
export class CompiledFile {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #path: string;

  /**
   * @param bundle path of the bundle; each size, modification time and Node version has its own file
   * @param use the purpose it is run for, since compiled code contains only functions that ran
   */
  constructor(folder: string, bundle: string, use = '') {
    const { size, mtimeMs } = statSync(bundle);
    const made = [size, mtimeMs, process.version, process.arch, cachedDataVersionTag()].join(' ');
    this.#folder = folder;
    this.#prefix = `${basename(bundle)}-${short(`${bundle} ${use}`)}-`;
    this.#path = join(folder, `${this.#prefix}${short(made)}`);
  }

  /** @returns `undefined` without a file, or if the file was changed: V8 does not check that */
  read(): Buffer | undefined {
    try {
      const file = readFileSync(this.#path);
      const code = file.subarray(HASH_BYTES);
      return sha256(code).equals(file.subarray(0, HASH_BYTES)) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes the file atomically, replacing those of the same bundle. A failure is ignored. */
  write(code: Buffer): void {
    try {
      const unfinished = `${this.#path}.${randomBytes(4).toString('hex')}`;
      writeFileSync(unfinished, Buffer.concat([sha256(code), code]), { mode: MODE });
      renameSync(unfinished, this.#path);
      for (const name of readdirSync(this.#folder)) {
        if (name.startsWith(this.#prefix) && join(this.#folder, name) !== this.#path) {
          rmSync(join(this.#folder, name), { force: true });
        }
      }
    } catch {
      // A full disk: the next start compiles again.
    }
  }
}

function short(text: string): string {
  return sha256(text).toString('hex').slice(0, 16);
}
