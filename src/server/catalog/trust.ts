import type { PaymentProtocol } from '../../protocol/index.ts';

/** Facts about an entry that do not come from the seller (spec: trust block). */
export interface Trust {
  readonly settlements: number;
  readonly uniquePayers: number;
  /** Settlements that this process observed. */
  readonly observedSettlements: number;
  /** `observed` once this process has seen one; `persisted` while all counts come from the store. */
  readonly statsSource: 'observed' | 'persisted';
  readonly ownerVerified: boolean;
  /** Always `unknown`: the attestation service that it would read is not deployed anywhere. */
  readonly verification: 'unknown';
  readonly acceptsVerification: 'unknown';
  /** ISO 8601. */
  readonly lastSettledAt: string;
  /**
   * Only on the embedded network, for a seller on this machine: whether its challenge names the
   * recipient. It proves nothing to others, so `ownerVerified` stays false.
   */
  readonly localCheck?: boolean;
  /**
   * The protocols in which the last ownership check saw the URL ask for payment to this recipient. Missing if none was seen;
   * sellers cannot declare it.
   */
  readonly protocols?: readonly PaymentProtocol[];
}

/**
 * How an entry was used recently, under the names that other x402 catalogs use. Only settlements that moved money from one
 * account to another count. Unknown values are missing.
 */
export interface Quality {
  /** Settlements of today and the 29 days before, by UTC day. */
  readonly l30DaysTotalCalls?: number;
  /** Number of different payers in these settlements. */
  readonly l30DaysUniquePayers?: number;
  /** ISO 8601. */
  readonly lastCalledAt?: string;
}
