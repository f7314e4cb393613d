import * as xdr from '@stellar/stellar-sdk/xdr';

/** Resources of a transaction with the given resource fee and an empty footprint. */
export function resources(resourceFee: bigint): xdr.SorobanTransactionData {
  return new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
      instructions: 1_000_000,
      diskReadBytes: 0,
      writeBytes: 1_000,
    }),
    resourceFee,
  });
}
