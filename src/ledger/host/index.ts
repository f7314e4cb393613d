export { HostCallError, type HostCallErrorCode } from './hostCallError.ts';
export { hostFileName, loadHost } from './loadHost.ts';
export type * from './types.ts';
export { WasmSorobanHost } from './wasmSorobanHost.ts';
