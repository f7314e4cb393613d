import { readFile } from 'node:fs/promises';
import { HostCallError } from './hostCallError.ts';
import type { KeptEvents } from './invocation.ts';
import { WasmSorobanHost } from './wasmSorobanHost.ts';

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
