export { HostCallError, type HostCallErrorCode } from './hostCallError.ts';
export type * from './types.ts';
