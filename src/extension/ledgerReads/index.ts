/** Ledger reads that need XDR. Only the payments bundle contains them. */
export { type DecodedEvent, decodeEvents } from './decodeEvents.ts';
export { type DecodedTransaction, decodeTransaction } from './decodeTransaction.ts';
export { readKeyPolicies } from './readKeyPolicies.ts';
export { readWalletPolicies } from './readWalletPolicies.ts';
