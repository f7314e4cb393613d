/** How much one call may ask for: the defaults of Stellar RPC (`internal/config/options.go`, `internal/methods`). */
export const LIMITS = {
  ledgerEntryKeys: 200,
  events: { max: 10_000, default: 100 },
  /** Ledgers that one call of getEvents looks through. */
  eventScanLedgers: 10_000,
  eventFilters: 5,
  contractIdsOfFilter: 5,
  topicsOfFilter: 5,
  segmentsOfTopic: 4,
  transactions: { max: 200, default: 50 },
  ledgers: { max: 200, default: 50 },
  /** Ledgers over which fees are counted. */
  classicFeeLedgers: 10,
  sorobanFeeLedgers: 50,
  /** Bytes of a request's body. */
  bodyBytes: 512 * 1_024,
  /** Calls of a batch. */
  batchCalls: 100,
  /**
   * The budget of a page, after which it ends early with a cursor to the rest: bytes of XDR of its items (JSON costs ten
   * times as much), and of the ledgers that are searched for events. Each page has at least one item. 200 payments, or the
   * events of 1,000 payments, fit into a page. Stellar RPC ends calls that take
   * longer than 5 or 10 seconds instead (`max-get-transactions-execution-duration` and others).
   */
  pageBytes: { base64: 5 << 19, json: 256 << 10, eventScan: 6 << 20 },
  /** Bytes of XDR that a simulation may return, authorize and change. */
  simulationBytes: { base64: 512 << 10, json: 256 << 10 },
  /** What the calls of one request may take together; the call that exceeds it is still answered. */
  work: { events: 20_000, instructions: 2_000_000_000, bytes: 24 << 20 },
  /**
   * Instructions that a simulation on the thread counts at least: its envelope is read, its contract's code compiled and its
   * events written, however early it fails.
   */
  leastOfSimulation: 100_000_000,
} as const;
