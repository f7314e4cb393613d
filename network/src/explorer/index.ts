/** Data that the network's page shows beyond Horizon and RPC: contracts, calls in words, search. */
export { ArgumentError } from './argumentValue.ts';
export { type CallingNetwork, prepareCall } from './contractCall.ts';
export { contractPage } from './contractPage.ts';
export { storagePage } from './contractStorage.ts';
export { searchPlaces } from './searchPlaces.ts';
export { transactionWords } from './transactionWords.ts';
