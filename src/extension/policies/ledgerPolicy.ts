import type { CountedWindow } from '../../protocol/policies/index.ts';

/** A spending limit as its contract stores it. Amounts are in atomic units, times in seconds of the ledger's clock. */
export interface LedgerLimit {
  readonly token: string;
  /** The settlement contract that may release funds; without one, only direct transfers are payments. */
  readonly upto: string | undefined;
  readonly limit: bigint;
  readonly windowSeconds: bigint;
  readonly sliding: boolean;
  /** Maximum number of payments per window; `undefined`: no limit. */
  readonly maxPayments: number | undefined;
  readonly perPayment: bigint | undefined;
  readonly recipients: readonly string[] | undefined;
  /** Spending that the contract has counted. */
  readonly window: CountedWindow;
}

/** A policy that a smart account holds, as the ledger has it. */
export interface LedgerPolicy {
  readonly contractId: string;
  /** SHA-256 of the module that it runs, hex; `undefined` if its entry is archived or no longer exists. */
  readonly wasmHash: string | undefined;
  readonly limit: LedgerLimit | undefined;
  /** Of a verified-only policy. */
  readonly registry: string | undefined;
}

/** What the ledger shows about the address set as the smart account. */
export type WalletReading =
  | {
      readonly kind: 'wallet';
      readonly policies: readonly LedgerPolicy[];
      /** Time of the last ledger, in seconds. */
      readonly ledgerTime: bigint;
    }
  /** Nothing exists at the address on this network. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'not_a_wallet'; readonly why: string }
  | { readonly kind: 'wrong_network'; readonly passphrase: string };
