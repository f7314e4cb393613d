/** What is read from the ledger as XDR. Only the bundle of payments carries it. */
export { type DecodedEvent, decodeEvents } from './decodeEvents.ts';
export { type DecodedTransaction, decodeTransaction } from './decodeTransaction.ts';
export { readKeyPolicies } from './readKeyPolicies.ts';
export { readWalletPolicies } from './readWalletPolicies.ts';
