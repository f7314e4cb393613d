import { createHash } from 'node:crypto';
import { accessSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { HostCallError } from './hostCallError.ts';
import type { LaterModule } from './wasmSorobanHost.ts';

/**
 * A host's module in a file of the package. Compiling it takes longer than anything else of a start, and nothing needs it before
 * the first simulation or ledger: it is compiled in the background, or at once by a call that comes earlier.
 */
export class HostFile implements LaterModule {
  readonly protocol: number;
  readonly #path: string;
  #module: WebAssembly.Module | undefined;
  #digest: string | undefined;

  /** @throws the file system's error where the file cannot be read */
  constructor(path: string, protocol: number) {
    accessSync(path);
    this.#path = path;
    this.protocol = protocol;
  }

  /** SHA-256 of the module, shortened to the 40 digits of a commit. */
  get digest(): string {
    this.#digest ??= createHash('sha256')
      .update(readFileSync(this.#path))
      .digest('hex')
      .slice(0, 40);
    return this.#digest;
  }

  compiled(): WebAssembly.Module {
    try {
      this.#module ??= new WebAssembly.Module(readFileSync(this.#path));
      return this.#module;
    } catch (error) {
      throw new HostCallError('BAD_MODULE', error instanceof Error ? error.message : String(error));
    }
  }

  /** Compiles it in the background, unless that was done. A failure is that of the call that needs it. */
  async prepare(): Promise<void> {
    if (this.#module !== undefined) return;
    try {
      const module = await WebAssembly.compile(await readFile(this.#path));
      this.#module ??= module;
    } catch {
      // Compiled again, and told, when it is needed.
    }
  }
}
