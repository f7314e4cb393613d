import { DEFAULT_FACILITATOR_PORT } from '../protocol/index.ts';
import type { EmbeddingSettings } from './search/index.ts';

/** The accounts that sign: secrets (`S…`), never logged. */
export interface SigningSecrets {
  /** Secret of the sponsor, the account that pays the network fees. */
  readonly sponsorSecret: string;
  /** Secrets of exactly 50 channel accounts, or the seed that they are derived from. */
  readonly channels: { readonly secrets: readonly string[] } | { readonly seed: string };
}

/** Thresholds above which the sponsor's spending is reported or refused. Fees are in stroops. */
export interface SpendControlsConfig {
  /** Whether to refuse or only to log; logging is enough on a network whose fees are not money. */
  readonly enforced: boolean;
  /** Settlements per minute for one recipient and for one resource, of one client. */
  readonly payToPerMinute: number;
  readonly urlPerMinute: number;
  /** Fees per minute for the calls of one client. */
  readonly clientFeesPerMinuteStroops: bigint;
  /** Fees per day for all; each client has a share. */
  readonly feesPerDayStroops: bigint;
  /** The same for recipients that the catalog has not bound to a resource. */
  readonly unboundFeesPerDayStroops: bigint;
}

/** The facilitator's configuration. Fees and balances are in stroops. */
export interface FacilitatorConfig extends SigningSecrets {
  readonly rpcUrl: string;
  /** Further RPC servers of the same network, used in this order while those before fail. */
  readonly otherRpcUrls: readonly string[];
  /** Calls a second to each RPC server; `null` for as many as it accepts. */
  readonly rpcCallsPerSecond: number | null;
  /** Whether friendbot funds the sponsor and the channels again after the test network was reset. */
  readonly refundsAfterReset: boolean;
  readonly horizonUrl: string | null;
  /** PEM of a certificate authority to trust for `rpcUrl` in addition to the system's. */
  readonly rpcCertificateAuthority: string | null;
  readonly host: string;
  readonly port: number;
  /** What to do if the port is in use: refuse to start, or choose a free port. */
  readonly busyPort: 'refuse' | 'move';
  /** Ceiling of the total fee bid of one settlement (spec: Limits/Fee ceiling). */
  readonly maxTxFeeStroops: bigint;
  /** The settlement contract of scheme `upto` (`C…`); without one, only `exact` is served. */
  readonly uptoContractId: string | null;
  /** Inclusion bid for each of the two operations that a fee bump counts. */
  readonly inclusionFeeStroops: bigint;
  /** Balance below which the sponsor settles nothing (spec: Settlement path, 1). */
  readonly sponsorFloorStroops: bigint;
  /** Number of ledgers by which an authorization may outlive maxTimeoutSeconds, to allow for skew between RPC servers. */
  readonly expiryToleranceLedgers: number;
  /** PostgreSQL database for the store, which several instances may share. */
  readonly databaseUrl: string | null;
  /** Folder for the embedded store. Without a folder or a database, everything is in memory. */
  readonly dataFolder: string | null;
  /** An embedding server for the search; `null` for the embedding of this process. */
  readonly embeddings: EmbeddingSettings | null;
  /** How long an instance that shares a database counts as alive after its last heartbeat. */
  readonly instanceTtlMs: number;
  /** Maximum number of settlements in flight for one payer in one asset. */
  readonly payerInFlight: number;
  /** How long a settlement waits for a free channel, and for its payer's other settlements. */
  readonly channelWaitMs: number;
  /** How long `/settle` waits for the ledger to decide. */
  readonly confirmationMs: number;
  /**
   * The time within which `/settle` answers, whatever the ledger does. Older seller clients give up after 30 seconds and then
   * know nothing about the payment.
   */
  readonly answerWithinMs: number;
  /** Requests per minute for each client address; 0 sets no limit (spec: Limits/Request rate). */
  readonly rateLimitPerMinute: number;
  /** Whether requests from this machine are exempt from the limit. */
  readonly rateLimitExemptsLoopback: boolean;
  /** Whether to answer only requests whose Host names this machine, as on a developer's machine. */
  readonly loopbackNamesOnly: boolean;
  readonly spendControls: SpendControlsConfig;
  /** Origins whose pages may write, in addition to pages on loopback names (`https://dapp.example`). */
  readonly allowedOrigins: readonly string[];
  /** How many proxies in front of the service are trusted to write `X-Forwarded-For`. */
  readonly trustedProxyHops: number;
}

/** Default values. */
export const CONFIG_DEFAULTS = {
  otherRpcUrls: [],
  rpcCallsPerSecond: null,
  refundsAfterReset: true,
  horizonUrl: null,
  rpcCertificateAuthority: null,
  host: '127.0.0.1',
  port: DEFAULT_FACILITATOR_PORT,
  busyPort: 'refuse',
  maxTxFeeStroops: 500_000n,
  uptoContractId: null,
  inclusionFeeStroops: 100n,
  sponsorFloorStroops: 100_000_000n,
  expiryToleranceLedgers: 6,
  databaseUrl: null,
  dataFolder: null,
  embeddings: null,
  instanceTtlMs: 10_000,
  payerInFlight: 25,
  channelWaitMs: 10_000,
  confirmationMs: 20_000,
  answerWithinMs: 25_000,
  rateLimitPerMinute: 60,
  rateLimitExemptsLoopback: false,
  loopbackNamesOnly: false,
  trustedProxyHops: 0,
  allowedOrigins: [],
  spendControls: {
    enforced: false,
    payToPerMinute: 30,
    urlPerMinute: 30,
    clientFeesPerMinuteStroops: 10_000_000n,
    feesPerDayStroops: 1_000_000_000n,
    unboundFeesPerDayStroops: 100_000_000n,
  },
} as const satisfies Partial<FacilitatorConfig>;
