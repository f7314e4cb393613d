import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

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

/** Time by which a service has started, so that the functions needed for the start are compiled. */
const WRITE_AFTER_MS = 3_000;

/** The loader that Node calls for files with this extension. */
type Load = (module: NodeJS.Module, path: string) => void;
type Wrapper = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  path: string,
  folder: string,
) => void;

/**
 * Caches the compiled code of the bundles next to this one in a folder.
 * @param use the purpose they are run for
 */
export function loadKept(folder: string, use: string): void {
  const require = nodeModule.createRequire(import.meta.url);
  const ours = dirname(fileURLToPath(import.meta.url));
  const { extensions } = require as { extensions: Record<string, Load> };
  const load = extensions['.js'];
  if (load === undefined) return;
  extensions['.js'] = (module, path) => {
    if (dirname(path) === ours) loadBundle(new CompiledFile(folder, path, use), module, path);
    else load(module, path);
  };
}

function loadBundle(kept: CompiledFile, module: NodeJS.Module, path: string): void {
  const cachedData = kept.read();
  const source = nodeModule.wrap(readFileSync(path, 'utf8'));
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
  const run = script.runInThisContext() as Wrapper;
  run.call(
    module.exports,
    module.exports,
    nodeModule.createRequire(path),
    module,
    path,
    dirname(path),
  );
  if (cachedData !== undefined && script.cachedDataRejected !== true) return;
  let written = false;
  const write = (): void => {
    if (written) return;
    written = true;
    kept.write(script.createCachedData());
  };
  setTimeout(write, WRITE_AFTER_MS).unref();
  process.once('exit', write);
}
