import type { CountedWindow } from '../../protocol/policies/index.ts';

/** A spending limit as its contract stores it. Amounts are atomic units, times seconds of the ledger's clock. */
export interface LedgerLimit {
  readonly token: string;
  /** The settlement contract that may release; without one, only direct transfers are payments. */
  readonly upto: string | undefined;
  readonly limit: bigint;
  readonly windowSeconds: bigint;
  readonly sliding: boolean;
  /** Most payments in a window; `undefined`: any number. */
  readonly maxPayments: number | undefined;
  readonly perPayment: bigint | undefined;
  readonly recipients: readonly string[] | undefined;
  /** What the contract has counted. */
  readonly window: CountedWindow;
}

/** A policy that a smart account holds, as the ledger has it. */
export interface LedgerPolicy {
  readonly contractId: string;
  /** SHA-256 of the module that it runs, hex; `undefined` when its entry is archived or gone. */
  readonly wasmHash: string | undefined;
  readonly limit: LedgerLimit | undefined;
  /** Of a verified-only policy. */
  readonly registry: string | undefined;
}

/** What the ledger shows about the address that is set as the smart account. */
export type WalletReading =
  | {
      readonly kind: 'wallet';
      readonly policies: readonly LedgerPolicy[];
      /** Time of the last ledger, in seconds. */
      readonly ledgerTime: bigint;
    }
  /** Nothing is at the address on this network. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'not_a_wallet'; readonly why: string }
  | { readonly kind: 'wrong_network'; readonly passphrase: string };
