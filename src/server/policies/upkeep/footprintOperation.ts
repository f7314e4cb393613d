import * as xdr from '@stellar/stellar-sdk/xdr';

/** An operation on ledger entries that names them only in its footprint. */
export interface FootprintOperation {
  readonly operation: xdr.Operation;
  readonly footprint: xdr.LedgerFootprint;
}

const NO_EXT = xdr.ExtensionPoint.v0();

function operation(body: xdr.OperationBody): xdr.Operation {
  return new xdr.Operation({ sourceAccount: null, body });
}

/** Restores archived entries, with the minimum initial lifetime of persistent entries. */
export function restoring(keys: readonly xdr.LedgerKey[]): FootprintOperation {
  const body = xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: NO_EXT }));
  const footprint = new xdr.LedgerFootprint({ readOnly: [], readWrite: [...keys] });
  return { operation: operation(body), footprint };
}

/** Extends lifetimes to this many ledgers from now. */
export function prolonging(keys: readonly xdr.LedgerKey[], extendTo: number): FootprintOperation {
  const body = xdr.OperationBody.extendFootprintTtl(
    new xdr.ExtendFootprintTtlOp({ ext: NO_EXT, extendTo }),
  );
  const footprint = new xdr.LedgerFootprint({ readOnly: [...keys], readWrite: [] });
  return { operation: operation(body), footprint };
}
