import type { CallCost, SorobanHost } from '../host/index.ts';
import type { NetworkSettings } from '../settings/index.ts';
import type { ParsedTransaction } from './envelope/index.ts';
import type { Impersonation } from './signature/impersonation.ts';
import type { VerifySignature } from './signature/signatureChecker.ts';

/** What all transactions of a ledger have in common. */
export interface TransactionEnvironment {
  /** SHA-256 of the network passphrase. */
  readonly networkId: Uint8Array;
  /** The settings in force at the start of the ledger. */
  readonly settings: NetworkSettings;
  /** The host, configured with these settings. */
  readonly host: SorobanHost;
  readonly verify: VerifySignature;
  /** Accounts whose transactions and operations do not need signatures, and addresses whose authorization entries do not. */
  readonly impersonation?: Pick<Impersonation, 'covers' | 'addresses'>;
  /** Seconds by which the clock that time bounds are compared with is behind close times. Default: 0. */
  readonly timeBoundsBehind?: bigint;
  /** Whether classic operations and fees emit events too (CAP-67). */
  readonly classicEvents: boolean;
  /** Whether Soroban transactions carry diagnostic events. */
  readonly diagnostics: boolean;
  /** Whether the meta of Soroban transactions reports their resource fee. */
  readonly resourceFeeMeta: boolean;
  /** Called for every invocation with what each of its contract calls consumed. */
  readonly onCalls?: (tx: Pick<ParsedTransaction, 'hash'>, calls: readonly CallCost[]) => void;
  /** Called with every transaction that ends with `txINTERNAL_ERROR`, and why. */
  readonly onInternalError?: (tx: ParsedTransaction, error: Error) => void;
}
