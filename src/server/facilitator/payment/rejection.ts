import type {
  ErrorCode,
  MoneyMoved,
  SettlementHash,
  StellarAddress,
} from '../../../protocol/index.ts';

/** A payment that is not accepted: which rule it breaks, and what is known of it. */
export interface Rejection {
  readonly code: ErrorCode;
  /** What exactly was found, for the message; never secrets or signatures. */
  readonly detail?: string;
  readonly payer?: StellarAddress | undefined;
  /** What became of the money, where more is known than the code says. */
  readonly known?: KnownFate;
}

/** What is known of the payment that an authorization made, or may have made. */
export interface KnownFate {
  readonly moneyMoved: MoneyMoved;
  readonly hash?: SettlementHash | undefined;
  readonly ledger?: number | undefined;
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
