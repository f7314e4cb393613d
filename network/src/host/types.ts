/**
 * The requests of the ledger engine to the Soroban host, and their results.
 *
 * Everything that crosses this interface is XDR bytes or a plain number. Between calls, the host keeps no ledger entries, only
 * the network configuration (`configure`) and the compiled contracts (`cacheModule`).
 */

/** XDR bytes, of the type named in the field's comment. */
export type Xdr = Uint8Array;

/** The network's settings as of the start of a ledger. Pass them again after every upgrade. */
export interface HostConfig {
  /** SHA-256 of the network passphrase. */
  readonly networkId: Uint8Array;
  /** Stroops, from the ledger header. */
  readonly baseReserve: number;
  /** `ConfigSettingEntry` XDR, one per setting; settings that the host does not use are allowed. */
  readonly settings: readonly Xdr[];
}

/** Everything that another instance of the same host needs, in this thread or another. */
export interface HostSetup {
  readonly module: WebAssembly.Module;
  /** The last configuration; each one is a separate object. */
  readonly config: HostConfig;
}

/** Values that the host derives from the configuration and that the engine also needs. */
export interface HostConfigSummary {
  /** Stroops per kilobyte of rent, from the average of the live state size window (`compute_rent_write_fee_per_1kb`). */
  readonly rentFeePer1Kb: bigint;
  /** `ComputeV0.txMemoryLimit`: the memory limit of every invocation, in bytes. */
  readonly memoryLimit: number;
}

/** The ledger being closed (`invoke`), or the last closed one (`simulate…`, as Stellar RPC does). */
export interface LedgerPoint {
  readonly sequence: number;
  /** Seconds since 1970. */
  readonly closeTime: bigint;
}

/** The TTL of a contract data or contract code entry. */
export interface EntryTtl {
  /** SHA-256 of the entry's `LedgerKey` XDR: the key hash of the TTL entry. */
  readonly keyHash: Uint8Array;
  readonly liveUntil: number;
}

/** An entry of the footprint, as the engine passes it; `ttl` is null for entries without one (accounts, trustlines). */
export interface FootprintEntry {
  /** `LedgerEntry` XDR. */
  readonly entry: Xdr;
  readonly ttl: EntryTtl | null;
}

/** Addresses whose authorization entries pass without a valid signature: some, by their `ScAddress` XDR, or all. */
export type ImpersonatedAddresses = 'nobody' | 'everybody' | readonly Xdr[];

export interface InvokeRequest {
  readonly ledger: LedgerPoint;
  /** `HostFunction` XDR. */
  readonly hostFunction: Xdr;
  /** `SorobanResources` XDR as signed. */
  readonly resources: Xdr;
  /** The instruction limit: `resources.instructions`. */
  readonly instructions: number;
  /** Indices in the read-write footprint of archived entries that this invocation restores. */
  readonly restoredIndices: readonly number[];
  /** `AccountId` XDR of the operation's source. */
  readonly sourceAccount: Xdr;
  /** `SorobanAuthorizationEntry` XDR, in the operation's order. */
  readonly auth: readonly Xdr[];
  /** Default: none. */
  readonly impersonated?: ImpersonatedAddresses;
  /**
   * One item per footprint key, read-only keys first, then read-write, in the footprint's order; null if there is no live
   * entry (absent, or temporary and expired). A restored entry carries its new TTL.
   */
  readonly footprint: readonly (FootprintEntry | null)[];
  /** 32 bytes; in a close: sha256(txSetHash || u64 BE index of the transaction in apply order). */
  readonly prngSeed: Uint8Array;
  /** Whether diagnostic events are recorded; they are not charged and do not affect metering. */
  readonly diagnostics: boolean;
}

/** A footprint key after a successful invocation; every footprint key that the host touched is listed. */
export interface LedgerChange {
  /** `LedgerKey` XDR. */
  readonly key: Xdr;
  readonly readOnly: boolean;
  /** `LedgerEntry` XDR; null when the entry is read-only or was removed. Its `lastModifiedLedgerSeq` is not set by the host. */
  readonly newValue: Xdr | null;
  readonly oldSizeForRent: number;
  readonly newSizeForRent: number;
  /** Null for entries without a TTL. A live-until of 0 means that there is no entry on that side. */
  readonly ttl: {
    readonly keyHash: Uint8Array;
    readonly oldLiveUntil: number;
    readonly newLiveUntil: number;
  } | null;
}

/**
 * Why a call did not succeed.
 *  - `host`: the host refused or the contract failed, for example by exceeding its budget.
 *  - `badInput`: an argument could not be decoded, which is an error of the caller.
 *  - `trap`: the host itself panicked or ran out of stack; its instance is replaced, and this object stays usable.
 */
export type HostErrorKind = 'host' | 'badInput' | 'trap';

export interface HostError {
  readonly kind: HostErrorKind;
  /** `ScError` XDR, as in the `host_fn_failed` diagnostic event; for `badInput` and `trap`: context, internal error. */
  readonly scError: Xdr;
  /**
   * True for errors that stellar-core reports as txINTERNAL_ERROR: code InternalError of any type except Contract, and every
   * trap.
   */
  readonly internal: boolean;
  /** `Error(Contract, #10)`, or the panic's message. */
  readonly summary: string;
  /** For simulations, the text that Stellar RPC returns: `HostError: …` with the event log; otherwise the summary. */
  readonly message: string;
}

/** Diagnostic events of one invocation: all of them, or the first and the last ones. */
export interface BoundedEvents {
  /** `DiagnosticEvent` XDR, in order. */
  readonly diagnosticEvents: readonly Xdr[];
  /** How many were left out. An event in their place reports it too. */
  readonly eventsLeftOut: number;
}

/** What was consumed. */
export interface CallCost {
  readonly cpuInstructions: number;
  /** For a single call: the bytes by which it raised the memory that the invocation is charged for. */
  readonly memoryBytes: number;
}

/** What the host measured; zero after `badInput` and `trap`. */
export interface Metering extends CallCost {
  /** Consumption of each call that has an `fn_call` event, including nested calls, in the order of these events. */
  readonly calls: readonly CallCost[];
}

export interface InvokeSuccess extends Metering, BoundedEvents {
  readonly ok: true;
  /** `ScVal` XDR. */
  readonly returnValue: Xdr;
  /** `ContractEvent` XDR, in order. */
  readonly contractEvents: readonly Xdr[];
  readonly changes: readonly LedgerChange[];
  /** Rent for all changes together, in stroops (`compute_rent_fee`). */
  readonly rentFee: bigint;
}

/** The engine adds its own `host_fn_failed` event after those of the host. */
export interface InvokeFailure extends Metering, BoundedEvents {
  readonly ok: false;
  readonly error: HostError;
}

export type InvokeOutcome = InvokeSuccess | InvokeFailure;

/** An entry, live or archived, as simulations read it. */
export interface StoredEntry {
  /** `LedgerEntry` XDR. */
  readonly entry: Xdr;
  /** Null for entries without a TTL; below the ledger's sequence for archived and expired ones. */
  readonly liveUntil: number | null;
}

/** Reads one entry by its `LedgerKey` XDR; null if there is none. The reader is allowed to keep the key's bytes. */
export type EntryReader = (key: Xdr) => StoredEntry | null;

/** How a simulation treats authorization (Stellar RPC's `authMode`). */
export type SimulationAuth =
  | {
      readonly mode: 'record';
      /** False: authorization is recorded for the root invocation only (`record`); true: `record_allow_nonroot`. */
      readonly allowNonRoot: boolean;
      /** Whether recorded entries use the address-bound credentials of protocol 27 (`useUpgradedAuth`). */
      readonly addressV2: boolean;
    }
  | {
      readonly mode: 'enforce';
      /** `SorobanAuthorizationEntry` XDR. */
      readonly entries: readonly Xdr[];
    };

export interface SimulateInvokeRequest {
  readonly ledger: LedgerPoint;
  /** `HostFunction` XDR. */
  readonly hostFunction: Xdr;
  /** `AccountId` XDR; the account does not have to exist. */
  readonly sourceAccount: Xdr;
  readonly auth: SimulationAuth;
  /** Default: none. */
  readonly impersonated?: ImpersonatedAddresses;
  /** 32 bytes. */
  readonly prngSeed: Uint8Array;
  /**
   * Minimum number of instructions to add to those measured (`resourceConfig.instructionLeeway`); 0 leaves the default of
   * 50,000 or 4%.
   */
  readonly instructionLeeway: number;
  readonly diagnostics: boolean;
  readonly read: EntryReader;
}

/** A read-write entry before and after; null if it does not exist. */
export interface StateChange {
  /** `LedgerKey` XDR. */
  readonly key: Xdr;
  /** `LedgerEntry` XDR. */
  readonly before: Xdr | null;
  /** `LedgerEntry` XDR. */
  readonly after: Xdr | null;
}

export interface SimulateInvokeSuccess extends Metering, BoundedEvents {
  readonly ok: true;
  /** `ScVal` XDR. */
  readonly returnValue: Xdr;
  /** `SorobanAuthorizationEntry` XDR: recorded without signatures, or passed through when enforcing. */
  readonly auth: readonly Xdr[];
  /** `ContractEvent` XDR, in order. */
  readonly contractEvents: readonly Xdr[];
  /** `SorobanTransactionData` XDR with the adjusted resources, archived entries and the resource fee. */
  readonly transactionData: Xdr;
  /** The resource fee in `transactionData`, in stroops. */
  readonly minResourceFee: bigint;
  readonly stateChanges: readonly StateChange[];
}

export interface SimulateInvokeFailure extends Metering, BoundedEvents {
  readonly ok: false;
  readonly error: HostError;
}

export type SimulateInvokeOutcome = SimulateInvokeSuccess | SimulateInvokeFailure;

export interface SimulateExtendTtlRequest {
  readonly ledger: LedgerPoint;
  /** `LedgerKey` XDR: the read-only footprint. */
  readonly keys: readonly Xdr[];
  readonly extendTo: number;
  readonly read: EntryReader;
}

export interface SimulateRestoreRequest {
  readonly ledger: LedgerPoint;
  /** `LedgerKey` XDR: the read-write footprint. */
  readonly keys: readonly Xdr[];
  readonly read: EntryReader;
}

/** Transaction data and fee for a footprint operation. */
export interface FootprintOpCost {
  /** `SorobanTransactionData` XDR. */
  readonly transactionData: Xdr;
  /** Stroops. */
  readonly minResourceFee: bigint;
}

export type SimulateFootprintOutcome =
  | (FootprintOpCost & {
      readonly ok: true;
      /** When extending archived entries: the RestoreFootprint that has to come first. */
      readonly restorePreamble: FootprintOpCost | null;
    })
  | { readonly ok: false; readonly error: HostError };

/** Resources that a transaction declares or used, for the resource fee; see stellar-core's `CxxTransactionResources`. */
export interface TransactionResources {
  readonly instructions: number;
  /** Classic keys in both footprints plus archived entries; all read-write keys for RestoreFootprint. */
  readonly diskReadEntries: number;
  /** Keys in the read-write footprint. */
  readonly writeEntries: number;
  readonly diskReadBytes: number;
  readonly writeBytes: number;
  /** Events and return value. */
  readonly contractEventsBytes: number;
  /** XDR size of the (inner) envelope with signatures. */
  readonly transactionBytes: number;
}

/** Stroops. */
export interface ResourceFee {
  readonly nonRefundable: bigint;
  /** For events only; rent is added to it. */
  readonly refundable: bigint;
}

/** An entry whose rent is charged. For an extension, old and new size are equal; for a restoration, the old values are 0. */
export interface RentChange {
  readonly persistent: boolean;
  readonly code: boolean;
  readonly oldSize: number;
  readonly newSize: number;
  readonly oldLiveUntil: number;
  readonly newLiveUntil: number;
}

/**
 * The Soroban host of one protocol version.
 *
 * `invoke` and the simulations return every error as a value. The other methods fail only through an error of the caller, for
 * which they throw `HostCallError`.
 */
export interface SorobanHost {
  /** The only ledger protocol that this host runs. */
  readonly protocol: number;
  /** Sets the network's configuration. Must be called first. @throws HostCallError `BAD_CONFIG` */
  configure(config: HostConfig): HostConfigSummary;
  /** Like `configure`, but postponed until the host is called: a network that nobody has called yet does not compile a host. */
  configureLater(config: HostConfig): void;

  /** Runs a host function exactly as stellar-core does when it applies a transaction. */
  invoke(request: InvokeRequest): InvokeOutcome;

  /** Runs a host function against `read` and returns what it needs. */
  simulateInvoke(request: SimulateInvokeRequest): SimulateInvokeOutcome;
  simulateExtendTtl(request: SimulateExtendTtlRequest): SimulateFootprintOutcome;
  simulateRestore(request: SimulateRestoreRequest): SimulateFootprintOutcome;

  /**
   * Compiles a contract ahead of its invocations. What an invocation is charged depends on which contracts are cached. Code
   * that cannot be parsed is silently ignored, as in stellar-core.
   */
  cacheModule(code: Uint8Array): void;
  /** Like `cacheModule`, but postponed until a contract is called: a network whose contracts nobody calls starts sooner. */
  cacheModuleLater(code: Uint8Array): void;
  /** Removes a contract from the cache, by the SHA-256 of its code. */
  uncacheModule(codeHash: Uint8Array): void;
  /** Removes all contracts from the cache. */
  clearModuleCache(): void;

  resourceFee(resources: TransactionResources): ResourceFee;
  /** Rent for these changes together, in stroops. */
  rentFee(changes: readonly RentChange[], ledgerSequence: number): bigint;
  /** Bytes that rent is charged for: XDR size, plus the compiled module's memory for contract code. @throws HostCallError `BAD_INPUT` */
  sizeForRent(entry: Xdr): number;

  /** @throws HostCallError `NOT_CONFIGURED` */
  readonly setup: HostSetup;

  /** How many times the instance was replaced after a trap. */
  readonly replacements: number;
}
