export { ForkError, type ForkErrorCode } from './forkError.ts';
export { ForkedEntries } from './forkedEntries.ts';
export { type ForkOptions, type ForkOrigin, readForkOrigin } from './forkOrigin.ts';
export { forkState } from './forkState.ts';
