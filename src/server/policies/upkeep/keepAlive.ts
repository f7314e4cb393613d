import type * as xdr from '@stellar/stellar-sdk/xdr';
import { type FootprintOperation, prolonging, restoring } from './footprintOperation.ts';
import { type DueLives, PROLONGED_TO } from './policyLives.ts';

/** Runs a transaction of the sponsor. */
export type RunFootprint = (
  operation: xdr.Operation,
  onSending: undefined,
  footprint: xdr.LedgerFootprint,
) => Promise<string>;

export function isDue({ archived, short }: DueLives): boolean {
  return archived.length > 0 || short.length > 0;
}

/** Restores archived entries and extends those that expire soon; the sponsor pays. */
export async function keepAlive({ archived, short }: DueLives, run: RunFootprint): Promise<void> {
  const pay = ({ operation, footprint }: FootprintOperation) =>
    run(operation, undefined, footprint);
  if (archived.length > 0) await pay(restoring(archived));
  if (short.length > 0) await pay(prolonging(short, PROLONGED_TO));
}
