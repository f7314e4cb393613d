import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import type { ExtensionResponses } from '../../../protocol/wire/index.ts';
import type { PreparedPayment } from './paymentScheme.ts';
import type { Refusal } from './rejection.ts';

/** The outcome of `/verify`. */
export type VerifyOutcome =
  | { readonly status: 'valid'; readonly payer: StellarAddress }
  | { readonly status: 'invalid'; readonly rejection: Refusal };

/** The outcome of `/settle`, which is always based on evidence (spec: Settlement outcomes). */
export type SettleOutcome =
  | {
      readonly status: 'settled';
      readonly payment: PreparedPayment;
      readonly hash: SettlementHash;
      readonly extensions: ExtensionResponses;
    }
  /** Nothing was submitted. */
  | { readonly status: 'rejected'; readonly rejection: Refusal }
  /** Submitted, and failed on the ledger or never included in it. */
  | { readonly status: 'failed'; readonly hash: SettlementHash; readonly rejection: Refusal }
  /** Submitted, but not decided in time. */
  | { readonly status: 'pending'; readonly hash: SettlementHash; readonly rejection: Refusal };
