/**
 * When ledgers close.
 *  - `demand`: as soon as a transaction waits; when none comes, one every five seconds, as on testnet.
 *  - `interval`: at fixed times, whatever waits.
 *  - `manual`: only on request.
 */
export type CloseMode =
  | { readonly kind: 'demand' }
  | { readonly kind: 'interval'; readonly milliseconds: number }
  | { readonly kind: 'manual' };

/** The time between ledgers of testnet, and between idle ledgers here. */
export const LEDGER_TARGET_MILLISECONDS = 5_000;
