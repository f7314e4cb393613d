import type { xdr } from '@stellar/stellar-sdk';
import type { CallCost, SorobanHost } from '../host/index.ts';
import { type NetworkSettings, SettingsReader } from '../settings/index.ts';
import { type EntryChange, type LedgerState, type LedgerView, RecentMap } from '../state/index.ts';
import {
  createSignatureVerifier,
  Impersonation,
  type ParsedTransaction,
  type SignatureVerifier,
  type TransactionEnvironment,
  type VerifySignature,
  verifyAhead,
} from '../transaction/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { ContractState } from './contractState.ts';

interface LedgerEngineOptions {
  /** SHA-256 of the network passphrase. */
  readonly networkId: Uint8Array;
  /** Runs the protocol of the ledger. Only the engine uses it, until the engine is discarded. */
  readonly host: SorobanHost;
  /** Whether classic operations and fees emit events too (CAP-67). */
  readonly classicEvents: boolean;
  /** Whether Soroban transactions carry diagnostic events. */
  readonly diagnostics: boolean;
  /**
   * Whether the meta of Soroban transactions reports their resource fee, as it does in nodes that Stellar RPC reads
   * (stellar-core `EMIT_SOROBAN_TRANSACTION_META_EXT_V1`).
   */
  readonly resourceFeeMeta: boolean;
  readonly verify?: VerifySignature;
  /** Whether every account is impersonated, so that no signatures are required. Default: false. */
  readonly autoImpersonate?: boolean;
  readonly onInternalError?: (tx: ParsedTransaction, error: Error) => void;
}

/** A state, with everything needed to close ledgers on top of it. */
export class LedgerEngine {
  readonly state: LedgerState;
  readonly networkId: Uint8Array;
  readonly contracts: ContractState;
  #host: SorobanHost;
  readonly #options: LedgerEngineOptions;
  readonly #verifier: SignatureVerifier;
  readonly #verify: VerifySignature;
  readonly #settings = new SettingsReader();
  /** Accounts whose transactions do not need signatures, and addresses whose authorization entries do not. */
  readonly impersonation: Impersonation;
  readonly callCosts = new CallCosts();
  /** Seconds by which the clock that time bounds are compared with is behind close times. */
  timeBoundsBehind = 0n;
  /** The settings with which the sizes of contract code were last measured. */
  #measuredBy: NetworkSettings | undefined;

  constructor(state: LedgerState, options: LedgerEngineOptions) {
    this.state = state;
    this.#host = options.host;
    this.networkId = options.networkId;
    this.#options = options;
    this.impersonation = new Impersonation(options.autoImpersonate);
    this.#verifier = createSignatureVerifier();
    this.#verify = options.verify ?? this.#verifier;
    this.contracts = new ContractState(state);
    this.useHost(options.host);
  }

  get host(): SorobanHost {
    return this.#host;
  }

  /** Switches to the host of another protocol. Only the engine uses it, until the engine is discarded. */
  useHost(host: SorobanHost): void {
    this.#host = host;
    this.#measuredBy = undefined;
    host.clearModuleCache();
    for (const id of this.contracts.codeIds) {
      const entry = this.state.peek(id);
      if (entry?.data.type !== 'contractCode') continue;
      host.cacheModuleLater(entry.data.contractCode.code);
    }
  }

  /** The settings of the last closed ledger, or of the one that is being computed. */
  settings(view: LedgerView = this.state): NetworkSettings {
    return this.#settings.read(view);
  }

  /** The environment in which transactions are checked and applied on top of a view. */
  environment(view: LedgerView = this.state): TransactionEnvironment {
    const settings = this.settings(view);
    configureHost(this.host, this.networkId, view.header.baseReserve, settings);
    const { classicEvents, diagnostics, resourceFeeMeta, onInternalError } = this.#options;
    return {
      networkId: this.networkId,
      settings,
      host: this.host,
      verify: this.#verify,
      impersonation: this.impersonation,
      timeBoundsBehind: this.timeBoundsBehind,
      classicEvents,
      diagnostics,
      resourceFeeMeta,
      onCalls: (tx, calls) => this.callCosts.remember(tx, calls),
      ...(onInternalError === undefined ? {} : { onInternalError }),
    };
  }

  /** Verifies signatures of a transaction in other threads, so that later checks find most of them already verified. */
  verifyAhead(tx: ParsedTransaction): Promise<void> {
    return verifyAhead(tx, this.#verifier);
  }

  /**
   * Bytes of contract data and code before the ledger that is being computed, measured with that ledger's settings.
   */
  stateSize(view: LedgerView): bigint {
    const settings = this.settings(view);
    if (settings !== this.#measuredBy) {
      this.contracts.forgetCodeSizes();
      this.#measuredBy = settings;
    }
    configureHost(this.host, this.networkId, view.header.baseReserve, settings);
    return this.contracts.size(this.state, this.host);
  }

  /** Updates everything derived from the state for changes that are about to be committed. */
  absorb(changes: readonly EntryChange[]): void {
    for (const { id, before, after } of changes) {
      if (after?.data.type === 'contractCode' && !this.contracts.hasCode(id)) {
        this.host.cacheModule(after.data.contractCode.code);
      } else if (before?.data.type === 'contractCode' && after === undefined) {
        this.host.uncacheModule(before.data.contractCode.hash.value);
      }
    }
    this.contracts.absorb(changes);
  }
}

const encoded = new WeakMap<xdr.ConfigSettingEntry, Uint8Array>();
const lastSetup = new WeakMap<Configured, Setup>();

type Configured = Pick<SorobanHost, 'configureLater'>;

/** The last configuration of a host. */
interface Setup {
  readonly networkId: Uint8Array;
  readonly baseReserve: number;
  readonly entries: NetworkSettings['entries'];
  readonly settings: readonly Uint8Array[];
}

/** Configures a host with the network's settings, unless it already has them. */
export function configureHost(
  host: Configured,
  networkId: Uint8Array,
  baseReserve: number,
  { entries }: Pick<NetworkSettings, 'entries'>,
): void {
  const last = lastSetup.get(host);
  const sameNetwork = last?.baseReserve === baseReserve && equal(last.networkId, networkId);
  if (sameNetwork && last.entries === entries) return;
  const settings = entries.map(settingXdr);
  if (!sameNetwork || !settings.every((bytes, at) => equal(bytes, last.settings[at]))) {
    host.configureLater({ networkId, baseReserve, settings });
  }
  lastSetup.set(host, { networkId, baseReserve, entries, settings });
}

function settingXdr(setting: xdr.ConfigSettingEntry): Uint8Array {
  let bytes = encoded.get(setting);
  if (bytes === undefined) {
    bytes = encodeXdr(setting);
    encoded.set(setting, bytes);
  }
  return bytes;
}

function equal(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a === b || (b !== undefined && Buffer.compare(a, b) === 0);
}

/** Number of transactions for which call costs are kept. */
const REMEMBERED = 2_000;
/** Maximum number of calls of a transaction; a trace does not show more. */
const MAX_CALLS = 2_000;

/**
 * What each call of the latest transactions consumed. Ledgers do not record it, so it is lost on restart. It costs little when
 * nobody looks at it.
 */
export class CallCosts {
  readonly #recent = new RecentMap<string, readonly CallCost[]>(REMEMBERED);

  remember({ hash }: Pick<ParsedTransaction, 'hash'>, calls: readonly CallCost[]): void {
    // If calls in the middle were left out, the costs after them would be attributed to the wrong calls.
    if (calls.length > 0 && calls.length <= MAX_CALLS)
      this.#recent.set(hash.toString('hex'), calls);
  }

  /** @param hash hex; for a fee bump, that of the inner transaction */
  of(hash: string): readonly CallCost[] | undefined {
    return this.#recent.get(hash);
  }
}
