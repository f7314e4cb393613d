import type {
  ErrorCode,
  MoneyMoved,
  SettlementHash,
  StellarAddress,
} from '../../../protocol/index.ts';

/** A payment that is not accepted: the rule it breaks, and what is known about it. */
export interface Rejection {
  readonly code: ErrorCode;
  /** Details for the message; never secrets or signatures. */
  readonly detail?: string;
  readonly payer?: StellarAddress | undefined;
  /** What happened to the money, if more is known than the code shows. */
  readonly known?: KnownFate;
}

/** Details of the payment that an authorization made or may have made. */
export interface KnownFate {
  readonly moneyMoved: MoneyMoved;
  readonly hash?: SettlementHash | undefined;
  readonly ledger?: number | undefined;
  /** Last ledger in which the authorization can still pay, if nothing has used it so far. */
  readonly until?: number | undefined;
  /** What arrived, in atomic units, if a transaction succeeded and shows less than the payment; 0 if it shows nothing. */
  readonly arrived?: bigint;
  /** The evidence in one sentence without a full stop. */
  readonly inWords?: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly rejection: Rejection };

export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function rejected(code: ErrorCode, detail?: string): { ok: false; rejection: Rejection } {
  return { ok: false, rejection: detail === undefined ? { code } : { code, detail } };
}

/**
 * A rejection in the response of `/verify` and `/settle`. It names the payer, which is `undefined` only
 * if the payment is unreadable.
 */
export type Refusal = Rejection & { readonly payer: StellarAddress | undefined };

/** Builds a refusal. @param payer `undefined` only if the payment is unreadable */
export function refusal(
  code: Rejection['code'],
  payer: StellarAddress | undefined,
  detail?: string,
): Refusal {
  return detail === undefined ? { code, payer } : { code, payer, detail };
}

/** Builds the refusal from a check's rejection. */
export function refusalOf(found: Rejection, payer: StellarAddress | undefined): Refusal {
  return { ...found, payer: found.payer ?? payer };
}
