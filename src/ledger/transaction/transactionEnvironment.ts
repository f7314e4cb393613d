import type { CallCost, SorobanHost } from '../host/index.ts';
import type { NetworkSettings } from '../settings/index.ts';
import type { ParsedTransaction } from './envelope/index.ts';
import type { Impersonation, VerifySignature } from './signature/index.ts';

/** Shared by all transactions of a ledger. */
export interface TransactionEnvironment {
  /** SHA-256 of the network passphrase. */
  readonly networkId: Uint8Array;
  /** The settings in force at the start of the ledger. */
  readonly settings: NetworkSettings;
  /** Configured with these settings. */
  readonly host: SorobanHost;
  readonly verify: VerifySignature;
  /** Accounts whose transactions and operations need no signature, and addresses whose authorization entries need none. */
  readonly impersonation?: Pick<Impersonation, 'covers' | 'addresses'>;
  /** Seconds by which the clock that time bounds are read by is behind close times. Default: none. */
  readonly timeBoundsBehind?: bigint;
  /** Whether classic operations and fees are written as events too (CAP-67). */
  readonly classicEvents: boolean;
  /** Whether Soroban transactions carry diagnostic events. */
  readonly diagnostics: boolean;
  /** Whether the meta of Soroban transactions reports their resource fee. */
  readonly resourceFeeMeta: boolean;
  /** Called with what each call of a contract consumed, of every invocation. */
  readonly onCalls?: (tx: Pick<ParsedTransaction, 'hash'>, calls: readonly CallCost[]) => void;
  /** Called with every transaction that ends with `txINTERNAL_ERROR`, and why. */
  readonly onInternalError?: (tx: ParsedTransaction, error: Error) => void;
}
