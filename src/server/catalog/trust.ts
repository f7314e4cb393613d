/** What is known of an entry beyond the seller's words (spec: trust block). */
export interface Trust {
  readonly settlements: number;
  readonly uniquePayers: number;
  /** Settlements that this process saw land. */
  readonly observedSettlements: number;
  /** `observed` once this process has seen one; `persisted` while all comes from the store. */
  readonly statsSource: 'observed' | 'persisted';
  readonly ownerVerified: boolean;
  /** Always `unknown`: the attestation service that it would read is deployed nowhere. */
  readonly verification: 'unknown';
  readonly acceptsVerification: 'unknown';
  /** ISO 8601. */
  readonly lastSettledAt: string;
  /**
   * On the embedded network alone, of a seller on this machine: whether its challenge names the
   * recipient. It says nothing to anybody else, so `ownerVerified` stays false.
   */
  readonly localCheck?: boolean;
}
