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
}
