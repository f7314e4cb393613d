/** Reads from the ledger that need XDR. Only the bundle of payments contains them. */
export { type DecodedEvent, decodeEvents } from './decodeEvents.ts';
export { type DecodedTransaction, decodeTransaction } from './decodeTransaction.ts';
export { readKeyPolicies } from './readKeyPolicies.ts';
export { readWalletPolicies } from './readWalletPolicies.ts';
