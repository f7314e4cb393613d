import { type AuthorizationFate, fateInWords } from '../../protocol/fate/index.ts';
import { formatDecimalAmount, oneLine } from '../../protocol/index.ts';
import type { AccountRefusal } from '../../protocol/smartAccount/index.ts';
import { type PaymentEvidence, X402Error } from './x402Error.ts';

/** Returns what is known about the money and what to do, as sentences after a space; nothing without a fate. */
function moneyInWords(fate: AuthorizationFate | undefined): string {
  if (fate === undefined) return '';
  const words = fateInWords(fate);
  return ` ${words.slice(0, 1).toUpperCase()}${words.slice(1)}. ${adviceFor(fate)}`;
}

function adviceFor(fate: AuthorizationFate): string {
  switch (fate.state) {
    case 'paid':
      return 'Do not pay again.';
    case 'open':
      return `Do not sign another payment for this request before ledger ${fate.until} has closed: both could be paid.`;
    case 'void':
      return 'It is safe to pay again.';
    case 'unknown':
      return fate.because === 'network_reset'
        ? 'Fund the accounts on the new network before you pay again.'
        : 'Look it up before you pay again.';
  }
}

/** The price is above `maxAmount`. Nothing was signed. */
export class MaxAmountExceededError extends X402Error {
  static override readonly name = 'MaxAmountExceededError';
  declare readonly name: 'MaxAmountExceededError';
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
  declare readonly name: 'DisallowedAssetError';
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
  declare readonly name: 'NoUsablePaymentOptionError';
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
  declare readonly name: 'InvalidRequirementsError';
  readonly code = 'invalid_requirements';
}

/**
 * The seller refused the payment after it was sent. `moneyMoved` is `no` only if the ledger shows that the payment can never
 * settle, and `not_yet` while it still can; otherwise it is `unknown`: look up the payment before paying again.
 */
export class PaymentRejectedError extends X402Error {
  static override readonly name = 'PaymentRejectedError';
  declare readonly name: 'PaymentRejectedError';
  readonly code = 'payment_rejected';
  /** The seller's or the facilitator's reason code; `network_reset` if the test network was reset while it was open. */
  readonly reason: string;
  /** The hash that the seller named; empty if it named none. */
  readonly transaction: string;
  declare readonly moneyMoved: 'no' | 'not_yet' | 'unknown';

  constructor(
    reason: string,
    transaction: string,
    detail?: string,
    evidence: PaymentEvidence<'no' | 'not_yet' | 'unknown'> = {},
  ) {
    const words = oneLine(detail === undefined ? reason : `${reason} (${detail})`);
    super(`The payment was refused: ${words}.${moneyInWords(evidence.fate)}`, {
      ...evidence,
      moneyMoved: evidence.moneyMoved ?? 'unknown',
    });
    this.reason = reason;
    this.transaction = transaction;
  }
}

/** A payment was requested from a wallet that is not configured for x402. */
export class X402NotConfiguredError extends X402Error {
  static override readonly name = 'X402NotConfiguredError';
  declare readonly name: 'X402NotConfiguredError';
  readonly code = 'not_configured';
}

/** The signer did not sign, such as a wallet whose user refused; its error is the `cause`. Nothing was sent. */
export class NotSignedError extends X402Error {
  static override readonly name = 'NotSignedError';
  declare readonly name: 'NotSignedError';
  readonly code = 'not_signed';

  /** @param reason the signer's message */
  constructor(reason: string, options?: ErrorOptions) {
    const words = oneLine(reason);
    super(`The signer did not sign${words === '' ? '' : `: ${words}`}. Nothing was sent.`, options);
  }
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
  declare readonly name: 'CannotPayError';
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
 * The payment settled, but the seller did not deliver the resource. Never retried. `moneyMoved` is `yes` if the ledger shows the
 * settlement. If only the seller claims it, `moneyMoved` is `not_yet` while the payment can settle, otherwise `unknown`.
 */
export class SettledWithoutResourceError extends X402Error {
  static override readonly name = 'SettledWithoutResourceError';
  declare readonly name: 'SettledWithoutResourceError';
  readonly code = 'settled_without_resource';
  declare readonly moneyMoved: 'yes' | 'not_yet' | 'unknown';
  /** Hash; empty if the RPC no longer has it. */
  readonly transaction: string;
  /** HTTP status of the response that arrived instead of the resource. */
  readonly status: number;

  constructor(
    transaction: string,
    status: number,
    evidence: PaymentEvidence<'yes' | 'not_yet' | 'unknown'> = {},
  ) {
    const settled = `settled${transaction === '' ? '' : ` in ${transaction}`}`;
    const answered = status === 0 ? 'the seller did not answer' : `the resource answered ${status}`;
    // Without evidence, that it settled is what the seller claims.
    const { moneyMoved = 'unknown', fate } = evidence;
    const claimed = moneyMoved === 'yes' ? '' : 'according to the seller ';
    const advice = moneyMoved === 'yes' ? ' Do not pay again.' : moneyInWords(fate);
    super(`The payment ${claimed}${settled}, but ${answered}.${advice}`, {
      ...evidence,
      moneyMoved,
    });
    this.transaction = transaction;
    this.status = status;
  }
}

/** No response to the paid request reported the payment's outcome. Never retried. */
export class PaymentOutcomeUnknownError extends X402Error {
  static override readonly name = 'PaymentOutcomeUnknownError';
  declare readonly name: 'PaymentOutcomeUnknownError';
  readonly code = 'outcome_unknown';
  /** `no` only if the ledger shows that the payment can never settle; `not_yet` while it still can. */
  declare readonly moneyMoved: 'no' | 'not_yet' | 'unknown';
  /** Last ledger in which the signed authorization can still be settled. */
  readonly expirationLedger: number;

  constructor(
    message: string,
    expirationLedger: number,
    options: ErrorOptions & PaymentEvidence<'no' | 'not_yet' | 'unknown'> = {},
  ) {
    super(`${message}${moneyInWords(options.fate)}`, {
      ...options,
      moneyMoved: options.moneyMoved ?? 'unknown',
    });
    this.expirationLedger = expirationLedger;
  }
}

/** The Stellar RPC is unreachable, or its response is not valid. */
export class RpcFailedError extends X402Error {
  static override readonly name = 'RpcFailedError';
  declare readonly name: 'RpcFailedError';
  readonly code = 'rpc_failed';
}
