import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import type { ExtensionResponses } from '../../../protocol/wire/index.ts';
import type { PreparedPayment } from './paymentScheme.ts';
import type { Refusal } from './refusal.ts';

/** What `/verify` found. */
export type VerifyOutcome =
  | { readonly status: 'valid'; readonly payer: StellarAddress }
  | { readonly status: 'invalid'; readonly rejection: Refusal };

/** What `/settle` did. Which of these it is rests on evidence (spec: Settlement outcomes). */
export type SettleOutcome =
  | {
      readonly status: 'settled';
      readonly payment: PreparedPayment;
      readonly hash: SettlementHash;
      readonly extensions: ExtensionResponses;
    }
  /** Nothing was submitted. */
  | { readonly status: 'rejected'; readonly rejection: Refusal }
  /** Submitted, and failed or left out by the ledger. */
  | { readonly status: 'failed'; readonly hash: SettlementHash; readonly rejection: Refusal }
  /** Submitted, and not decided in time. */
  | { readonly status: 'pending'; readonly hash: SettlementHash; readonly rejection: Refusal };
