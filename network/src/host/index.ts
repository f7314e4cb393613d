export { HostCallError, type HostCallErrorCode } from './hostInstance.ts';
export { EVENTS_LEFT_OUT, MAX_CONTRACT_EVENT_BYTES } from './invocation.ts';
export { HostFile, hostFileName, loadHost } from './loadHost.ts';
export type * from './types.ts';
export { WasmSorobanHost } from './wasmSorobanHost.ts';
