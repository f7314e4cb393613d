import { createHash } from 'node:crypto';
import { accessSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { HostCallError } from './hostInstance.ts';
import type { KeptEvents } from './invocation.ts';
import { type LaterModule, WasmSorobanHost } from './wasmSorobanHost.ts';

/** File name of a protocol's module. */
export const hostFileName = (protocol: number): string => `ledger-host-${protocol}.wasm`;

/**
 * Compiles a host, in the background as far as the JavaScript engine can, and makes it ready for `configure`.
 *
 * @param source the module's bytes, or the path of its file
 * @param kept which diagnostic events of a transaction are kept; `all` is for comparisons with recorded ledgers
 * @throws HostCallError `BAD_MODULE` if it is not a build of `ledger-host`; the file system's error if it cannot be read
 */
export async function loadHost(
  source: Uint8Array | string,
  kept?: KeptEvents,
): Promise<WasmSorobanHost> {
  const bytes = typeof source === 'string' ? await readFile(source) : source;
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(bytes);
  } catch (error) {
    throw new HostCallError('BAD_MODULE', error instanceof Error ? error.message : String(error));
  }
  return new WasmSorobanHost(module, kept);
}

/**
 * A host's module in a file of the package. Compiling it takes longer than the rest of a start, and nothing needs it before the
 * first simulation or ledger. It is compiled in the background, or synchronously if a call needs it earlier.
 */
export class HostFile implements LaterModule {
  readonly protocol: number;
  readonly #path: string;
  #module: WebAssembly.Module | undefined;
  #digest: string | undefined;

  /** @throws the file system's error if the file cannot be read */
  constructor(path: string, protocol: number) {
    accessSync(path);
    this.#path = path;
    this.protocol = protocol;
  }

  /** SHA-256 of the module, truncated to 40 hex digits, the length of a commit id. */
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

  /** Compiles the module in the background, unless it is already compiled. A failure is reported by the call that needs it. */
  async prepare(): Promise<void> {
    if (this.#module !== undefined) return;
    try {
      const module = await WebAssembly.compile(await readFile(this.#path));
      this.#module ??= module;
    } catch {
      // The call that needs the module compiles it again and reports the error.
    }
  }
}
