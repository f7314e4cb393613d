import * as xdr from '@stellar/stellar-sdk/xdr';
import { type DueLives, PROLONGED_TO } from './policyLives.ts';

/** An operation on ledger entries that names them only in its footprint. */
interface FootprintOperation {
  readonly operation: xdr.Operation;
  readonly footprint: xdr.LedgerFootprint;
}

const NO_EXT = xdr.ExtensionPoint.v0();

function operation(body: xdr.OperationBody): xdr.Operation {
  return new xdr.Operation({ sourceAccount: null, body });
}

/** Restores archived entries, with the minimum initial lifetime of persistent entries. */
function restoring(keys: readonly xdr.LedgerKey[]): FootprintOperation {
  const body = xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: NO_EXT }));
  const footprint = new xdr.LedgerFootprint({ readOnly: [], readWrite: [...keys] });
  return { operation: operation(body), footprint };
}

/** Extends lifetimes to this many ledgers from now. */
function prolonging(keys: readonly xdr.LedgerKey[], extendTo: number): FootprintOperation {
  const body = xdr.OperationBody.extendFootprintTtl(
    new xdr.ExtendFootprintTtlOp({ ext: NO_EXT, extendTo }),
  );
  const footprint = new xdr.LedgerFootprint({ readOnly: [...keys], readWrite: [] });
  return { operation: operation(body), footprint };
}

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
