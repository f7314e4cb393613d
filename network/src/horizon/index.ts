export { createHorizon } from './createHorizon.ts';
export type { HorizonNetwork } from './horizonView.ts';
export { Links } from './http/horizonRequest.ts';
export { OpenAnswers } from './http/openAnswers.ts';
export { transactionResource } from './resources/transaction.ts';
export { PrefixTree } from './state/prefixTree.ts';
export { ENTRY_TYPES, type StateFollower, StateIndexes } from './state/stateIndexes.ts';
