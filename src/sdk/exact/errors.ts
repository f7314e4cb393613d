import { formatDecimalAmount, oneLine } from '../../protocol/index.ts';
import type { AccountRefusal } from '../../protocol/smartAccount/index.ts';
import type { SentPayment } from './sentPayment.ts';
import { X402Error } from './x402Error.ts';

/** The price is above `maxAmount`. Nothing was signed. */
export class MaxAmountExceededError extends X402Error {
  static override readonly name = 'MaxAmountExceededError';
  override readonly name = 'MaxAmountExceededError';
  readonly code = 'max_amount_exceeded';
  /** The price, in atomic units. */
  readonly asked: bigint;
  /** `maxAmount`, in atomic units. */
  readonly maxAmount: bigint;

  constructor(asked: bigint, maxAmount: bigint) {
    super(
      `The seller asks ${formatDecimalAmount(asked)}, more than the ${formatDecimalAmount(maxAmount)} allowed.`,
    );
    this.asked = asked;
    this.maxAmount = maxAmount;
  }
}

/** None of the offered assets is in `allowedAssets`. Nothing was signed. */
export class DisallowedAssetError extends X402Error {
  static override readonly name = 'DisallowedAssetError';
  override readonly name = 'DisallowedAssetError';
  readonly code = 'disallowed_asset';
  /** Contracts of the assets (`C…`) that the seller offered. */
  readonly offered: readonly string[];

  constructor(offered: readonly string[]) {
    super(`The seller accepts only assets that are not allowed: ${offered.join(', ')}.`);
    this.offered = offered;
  }
}

/** No option has a supported scheme and network with sponsored fees. */
export class NoUsablePaymentOptionError extends X402Error {
  static override readonly name = 'NoUsablePaymentOptionError';
  override readonly name = 'NoUsablePaymentOptionError';
  readonly code = 'no_usable_payment_option';
  /** The reason: another network or scheme, or the facilitator does not sponsor fees. */
  readonly because: 'network' | 'scheme' | 'fees_not_sponsored' | 'no_options';

  constructor(because: NoUsablePaymentOptionError['because'], message: string) {
    super(message);
    this.because = because;
  }
}

/** The seller's terms are malformed; only the seller can fix them. */
export class InvalidRequirementsError extends X402Error {
  static override readonly name = 'InvalidRequirementsError';
  override readonly name = 'InvalidRequirementsError';
  readonly code = 'invalid_requirements';
}

/**
 * The seller refused the payment after it was sent. `moneyMoved` is `no` only if the ledger shows that
 * the payment can never settle; otherwise it is `unknown`: look up the payment before paying again.
 */
export class PaymentRejectedError extends X402Error {
  static override readonly name = 'PaymentRejectedError';
  override readonly name = 'PaymentRejectedError';
  readonly code = 'payment_rejected';
  /** The seller's or the facilitator's reason code. */
  readonly reason: string;
  /** The hash that the seller named; empty if it named none. */
  readonly transaction: string;
  override readonly moneyMoved: 'no' | 'unknown';
  override readonly payment: SentPayment | undefined;

  constructor(
    reason: string,
    transaction: string,
    detail?: string,
    evidence: { readonly moneyMoved?: 'no' | 'unknown'; readonly payment?: SentPayment } = {},
  ) {
    const words = oneLine(detail === undefined ? reason : `${reason} (${detail})`);
    super(`The payment was refused: ${words}.`);
    this.reason = reason;
    this.transaction = transaction;
    this.moneyMoved = evidence.moneyMoved ?? 'unknown';
    this.payment = evidence.payment;
  }
}

/** A payment was requested from a wallet that is not configured for x402. */
export class X402NotConfiguredError extends X402Error {
  static override readonly name = 'X402NotConfiguredError';
  override readonly name = 'X402NotConfiguredError';
  readonly code = 'not_configured';
}

/** Why the network would not execute the transfer. */
export type CannotPayReason =
  | 'insufficient_balance'
  | 'trustline_missing'
  | 'policy_refused'
  /** The signature does not match the account's key. */
  | 'signature_refused'
  | 'restore_required'
  /** The network fee is above the ceiling of the seller's facilitator. */
  | 'fee_above_ceiling'
  | 'simulation_failed';

/** The network's simulation of the transfer failed, before anything was sent to the seller. */
export class CannotPayError extends X402Error {
  static override readonly name = 'CannotPayError';
  override readonly name = 'CannotPayError';
  readonly code = 'cannot_pay';
  /** Why, in one word. */
  readonly reason: CannotPayReason;
  /** The message of the network, or of the policy that rejected the payment. */
  readonly detail: string;
  /** The policy's refusal, if a smart account reported it. */
  readonly refusal: AccountRefusal | undefined;

  constructor(reason: CannotPayReason, message: string, detail: string, refusal?: AccountRefusal) {
    super(message);
    this.reason = reason;
    this.detail = detail;
    this.refusal = refusal;
  }
}

/**
 * The payment settled, but the seller did not deliver the resource. Never retried. `moneyMoved` is `yes`
 * if the ledger shows the settlement, and `unknown` if only the seller claims it.
 */
export class SettledWithoutResourceError extends X402Error {
  static override readonly name = 'SettledWithoutResourceError';
  override readonly name = 'SettledWithoutResourceError';
  readonly code = 'settled_without_resource';
  override readonly moneyMoved: 'yes' | 'unknown';
  /** Hash; empty if the RPC no longer has it. */
  readonly transaction: string;
  /** HTTP status of the response that arrived instead of the resource. */
  readonly status: number;
  override readonly payment: SentPayment | undefined;

  constructor(
    transaction: string,
    status: number,
    evidence: { readonly moneyMoved?: 'yes' | 'unknown'; readonly payment?: SentPayment } = {},
  ) {
    const settled = `settled${transaction === '' ? '' : ` in ${transaction}`}`;
    const answered = status === 0 ? 'the seller did not answer' : `the resource answered ${status}`;
    const claimed = evidence.moneyMoved === 'unknown' ? 'according to the seller ' : '';
    super(`The payment ${claimed}${settled}, but ${answered}. Do not pay again.`);
    this.transaction = transaction;
    this.status = status;
    this.moneyMoved = evidence.moneyMoved ?? 'yes';
    this.payment = evidence.payment;
  }
}

/** No response to the paid request reported the payment's outcome. Never retried. */
export class PaymentOutcomeUnknownError extends X402Error {
  static override readonly name = 'PaymentOutcomeUnknownError';
  override readonly name = 'PaymentOutcomeUnknownError';
  readonly code = 'outcome_unknown';
  /** `no` only if the ledger shows that the payment can never settle. */
  override readonly moneyMoved: 'no' | 'unknown';
  /** Last ledger in which the signed authorization can still be settled. */
  readonly expirationLedger: number;
  override readonly payment: SentPayment | undefined;

  constructor(
    message: string,
    expirationLedger: number,
    options: ErrorOptions & {
      readonly moneyMoved?: 'no' | 'unknown';
      readonly payment?: SentPayment;
    } = {},
  ) {
    super(message, options);
    this.expirationLedger = expirationLedger;
    this.moneyMoved = options.moneyMoved ?? 'unknown';
    this.payment = options.payment;
  }
}

/** The Stellar RPC is unreachable, or its response is not valid. */
export class RpcFailedError extends X402Error {
  static override readonly name = 'RpcFailedError';
  override readonly name = 'RpcFailedError';
  readonly code = 'rpc_failed';
}
