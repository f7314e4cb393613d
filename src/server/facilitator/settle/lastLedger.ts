import type { StellarNetwork } from '../../network/index.ts';
import type { PreparedPayment } from '../payment/index.ts';

/** A settlement is given two minutes of ledgers, however short the seller's patience is. */
const LEAST_LEDGERS = 24;

/**
 * The last ledger that may include the settlement of a payment. An authorization of a day must not
 * hold a channel for a day: once maxTimeoutSeconds are over, nobody waits for the settlement.
 */
export function lastLedgerOf(
  { maxTimeoutSeconds }: PreparedPayment,
  expirationLedger: number,
  latestLedger: number,
  network: Pick<StellarNetwork, 'ledgerSeconds'>,
): number {
  const ledgers = Math.ceil(maxTimeoutSeconds / network.ledgerSeconds(latestLedger));
  return Math.min(expirationLedger, latestLedger + Math.max(ledgers, LEAST_LEDGERS));
}
