export { EVENTS_LEFT_OUT, MOST_CONTRACT_EVENT_BYTES } from './boundedEvents.ts';
export { HostCallError, type HostCallErrorCode } from './hostCallError.ts';
export { HostFile } from './hostFile.ts';
export { hostFileName, loadHost } from './loadHost.ts';
export type * from './types.ts';
export { WasmSorobanHost } from './wasmSorobanHost.ts';
