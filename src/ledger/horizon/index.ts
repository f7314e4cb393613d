export { createHorizon } from './createHorizon.ts';
export type { HorizonNetwork } from './horizonNetwork.ts';
export { Links } from './http/links.ts';
export { OpenAnswers } from './http/openAnswers.ts';
export { transactionResource } from './resources/transaction.ts';
