import type { StellarNetwork } from '../../network/index.ts';
import type { PreparedPayment } from '../payment/index.ts';

/** Maximum time that a settlement holds its channel, however long the seller is willing to wait. */
const MOST_SECONDS = 86_400;
/** Minimum life of a settlement: two minutes of ledgers, however short the seller is willing to wait. */
const LEAST_LEDGERS = 24;

/**
 * The last ledger that may include the settlement of a payment. An authorization that is valid for a day must not hold a
 * channel for a day: after maxTimeoutSeconds, nobody waits for the settlement.
 */
export function lastLedgerOf(
  { maxTimeoutSeconds }: PreparedPayment,
  expirationLedger: number,
  latestLedger: number,
  network: Pick<StellarNetwork, 'ledgerSeconds'>,
): number {
  const ledgers = Math.ceil(
    Math.min(maxTimeoutSeconds, MOST_SECONDS) / network.ledgerSeconds(latestLedger),
  );
  return Math.min(expirationLedger, latestLedger + Math.max(ledgers, LEAST_LEDGERS));
}
