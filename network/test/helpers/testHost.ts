import { fileURLToPath } from 'node:url';
import { hostFileName, loadHost } from '../../src/host/loadHost.ts';
import type { WasmSorobanHost } from '../../src/host/wasmSorobanHost.ts';

/** The protocols whose modules are committed. */
export const PROTOCOLS = [27, 28] as const;

export const modulePath = (protocol: number): string =>
  fileURLToPath(new URL(`../../host/${hostFileName(protocol)}`, import.meta.url));

export const newHost = (protocol: number): Promise<WasmSorobanHost> =>
  loadHost(modulePath(protocol));
