import type { StellarAddress } from '../../../protocol/index.ts';
import type { Rejection } from './rejection.ts';

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
