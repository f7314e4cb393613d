import type { StellarAddress } from '../../../protocol/index.ts';
import type { Rejection } from './rejection.ts';

/**
 * A rejection as `/verify` and `/settle` answer it: it names whose payment was refused, and
 * `undefined` only where the payer could not be read.
 */
export type Refusal = Rejection & { readonly payer: StellarAddress | undefined };

/** Builds a refusal of its own. @param payer `undefined` only where it could not be read */
export function refusal(
  code: Rejection['code'],
  payer: StellarAddress | undefined,
  detail?: string,
): Refusal {
  return detail === undefined ? { code, payer } : { code, payer, detail };
}

/** Refuses, and states that nothing moved, which the code alone does not say. */
export function refusalBeforeSending(
  code: Rejection['code'],
  payer: StellarAddress | undefined,
  detail?: string,
): Refusal {
  return { ...refusal(code, payer, detail), known: { moneyMoved: 'no' } };
}

/** Makes the refusal from what a check found. */
export function refusalOf(found: Rejection, payer: StellarAddress | undefined): Refusal {
  return { ...found, payer: found.payer ?? payer };
}
