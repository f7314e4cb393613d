/**
 * When ledgers close.
 *  - `demand`: as soon as a transaction is waiting; otherwise every five seconds, as on testnet.
 *  - `interval`: at a fixed interval, whether or not transactions are waiting.
 *  - `manual`: only on request.
 */
export type CloseMode =
  | { readonly kind: 'demand' }
  | { readonly kind: 'interval'; readonly milliseconds: number }
  | { readonly kind: 'manual' };

/** The time between ledgers on testnet, and between idle ledgers here. */
export const LEDGER_TARGET_MILLISECONDS = 5_000;
