import * as xdr from '@stellar/stellar-sdk/xdr';
import { addressBytes, type PaymentEnvelope } from '../../../../protocol/stellar/index.ts';

/** Returns an unsigned envelope with an operation, for simulation. */
export function unsignedEnvelope(
  operation: xdr.Operation,
  source: PaymentEnvelope['source'] | undefined,
): string {
  const key = source === undefined ? new Uint8Array(32) : addressBytes(source);
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(key),
    fee: 100,
    seqNum: 0n,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [operation],
    ext: xdr.TransactionExt.v0(),
  });
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [] }),
  ).toXdr('base64');
}

/** Returns an invocation of a contract as an operation of the transaction's source. */
export function invocationOperation(
  invocation: xdr.InvokeContractArgs,
  auth: readonly xdr.SorobanAuthorizationEntry[],
): xdr.Operation {
  return new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({
        hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
        auth: [...auth],
      }),
    ),
  });
}
