/** Limits for one call: the defaults of Stellar RPC (`internal/config/options.go`, `internal/methods`). */
export const LIMITS = {
  ledgerEntryKeys: 200,
  events: { max: 10_000, default: 100 },
  /** Maximum number of ledgers that one call of getEvents searches. */
  eventScanLedgers: 10_000,
  eventFilters: 5,
  contractIdsOfFilter: 5,
  topicsOfFilter: 5,
  segmentsOfTopic: 4,
  transactions: { max: 200, default: 50 },
  ledgers: { max: 200, default: 50 },
  /** Number of ledgers over which fees are counted. */
  classicFeeLedgers: 10,
  sorobanFeeLedgers: 50,
  /** Maximum size of a request's body in bytes. */
  bodyBytes: 512 * 1_024,
  /** Maximum number of calls in a batch. */
  batchCalls: 100,
  /**
   * The budget of a page, after which it ends early with a cursor to the rest: XDR bytes of its items (JSON costs ten times as
   * much), and of the ledgers that are searched for events. Each page has at least one item. 200 payments, or the events of
   * 1,000 payments, fit on a page. Stellar RPC instead ends calls that take longer than 5 or 10 seconds
   * (`max-get-transactions-execution-duration` and others).
   */
  pageBytes: { base64: 5 << 19, json: 256 << 10, eventScan: 6 << 20 },
  /** Maximum number of XDR bytes that a simulation can return, authorize and change. */
  simulationBytes: { base64: 512 << 10, json: 256 << 10 },
  /** The total budget for all calls of one request; the call that exceeds it is still answered. */
  work: { events: 20_000, instructions: 2_000_000_000, bytes: 24 << 20 },
  /**
   * Minimum number of instructions counted for a simulation on the thread: however early it fails, its envelope is read, its
   * contract's code compiled and its events written.
   */
  leastOfSimulation: 100_000_000,
} as const;
