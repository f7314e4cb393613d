import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';

const HASH_BYTES = 32;
/** Only the owner reads and writes. */
const MODE = 0o600;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** The kept compiled code of one bundle: a SHA-256, and what V8 gave. */
export class CompiledFile {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #path: string;

  /**
   * @param bundle path of the bundle; another size, time or version of Node has another file
   * @param use what of it runs: compiled code holds the functions that ran
   */
  constructor(folder: string, bundle: string, use = '') {
    const { size, mtimeMs } = statSync(bundle);
    const made = [size, mtimeMs, process.version, process.arch, cachedDataVersionTag()].join(' ');
    this.#folder = folder;
    this.#prefix = `${basename(bundle)}-${short(`${bundle} ${use}`)}-`;
    this.#path = join(folder, `${this.#prefix}${short(made)}`);
  }

  /** @returns undefined where there is none, or it is not as it was written: V8 itself does not check it */
  read(): Buffer | undefined {
    try {
      const file = readFileSync(this.#path);
      const code = file.subarray(HASH_BYTES);
      return sha256(code).equals(file.subarray(0, HASH_BYTES)) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes it in one step, in place of those of the same bundle. Without success nothing happens. */
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
