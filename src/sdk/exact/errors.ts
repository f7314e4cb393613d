import { formatDecimalAmount } from '../../protocol/index.ts';
import type { AccountRefusal } from '../../protocol/smartAccount/index.ts';
import { type MoneyMoved, X402Error } from './x402Error.ts';

/** The seller asks more than `maxAmount`. Nothing was signed. */
export class MaxAmountExceededError extends X402Error {
  readonly code = 'max_amount_exceeded';
  readonly asked: bigint;
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
  readonly code = 'disallowed_asset';
  readonly offered: readonly string[];

  constructor(offered: readonly string[]) {
    super(`The seller takes only assets that are not allowed: ${offered.join(', ')}.`);
    this.offered = offered;
  }
}

/** No option has the scheme and network that can be paid, with its fees sponsored. */
export class NoUsablePaymentOptionError extends X402Error {
  readonly code = 'no_usable_payment_option';
  /** Why: another network or scheme, or the facilitator does not sponsor fees. */
  readonly because: 'network' | 'scheme' | 'fees_not_sponsored' | 'no_options';

  constructor(because: NoUsablePaymentOptionError['because'], message: string) {
    super(message);
    this.because = because;
  }
}

/** What the seller asks is malformed; only the seller can mend it. */
export class InvalidRequirementsError extends X402Error {
  readonly code = 'invalid_requirements';
}

/**
 * The payment was refused. Read `reason` before paying again: with `moneyMoved` other than `no`,
 * a repetition may pay twice.
 */
export class PaymentRejectedError extends X402Error {
  readonly code = 'payment_rejected';
  readonly reason: string;
  /** Hash of what was submitted; empty when nothing was. */
  readonly transaction: string;
  override readonly moneyMoved: MoneyMoved;

  constructor(reason: string, transaction: string, detail?: string) {
    super(`The payment was refused: ${reason}${detail === undefined ? '' : ` (${detail})`}.`);
    this.reason = reason;
    this.transaction = transaction;
    this.moneyMoved = transaction === '' ? 'no' : 'unknown';
  }
}

/** A payment was asked of a wallet that is not configured for x402. */
export class X402NotConfiguredError extends X402Error {
  readonly code = 'not_configured';
}

/** Why the network would not execute the transfer. */
export type CannotPayReason =
  | 'insufficient_balance'
  | 'trustline_missing'
  | 'policy_refused'
  | 'restore_required'
  | 'simulation_failed';

/** The network's simulation of the transfer failed. Nothing was sent to the seller. */
export class CannotPayError extends X402Error {
  readonly code = 'cannot_pay';
  readonly reason: CannotPayReason;
  /** The network's own words, or those of the policy that refused. */
  readonly detail: string;
  /** Which policy refused, where a smart account told. */
  readonly refusal: AccountRefusal | undefined;

  constructor(reason: CannotPayReason, message: string, detail: string, refusal?: AccountRefusal) {
    super(message);
    this.reason = reason;
    this.detail = detail;
    this.refusal = refusal;
  }
}

/** The payment settled and the resource failed then. Money moved: never retried. */
export class SettledWithoutResourceError extends X402Error {
  readonly code = 'settled_without_resource';
  override readonly moneyMoved = 'yes';
  readonly transaction: string;
  /** HTTP status of the answer that came instead of the resource. */
  readonly status: number;

  constructor(transaction: string, status: number) {
    super(`The payment settled in ${transaction}, but the resource answered ${status}.`);
    this.transaction = transaction;
    this.status = status;
  }
}

/** The paid request got no answer that tells what became of the payment. Never retried. */
export class PaymentOutcomeUnknownError extends X402Error {
  readonly code = 'outcome_unknown';
  override readonly moneyMoved = 'unknown';
  /** Last ledger in which the signed authorization can still be settled. */
  readonly expirationLedger: number;

  constructor(message: string, expirationLedger: number, options?: ErrorOptions) {
    super(message, options);
    this.expirationLedger = expirationLedger;
  }
}

/** The Stellar RPC could not be reached, or did not answer as one. */
export class RpcFailedError extends X402Error {
  readonly code = 'rpc_failed';
}
