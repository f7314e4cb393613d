import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../../protocol/index.ts';
import { accountAddressOf, addressBytes } from '../../protocol/stellar/index.ts';

/**
 * The account of 32 zero bytes, which nobody can sign for: the default source of simulations. The payer
 * must not be the source, or simulation returns source-account credentials, which a facilitator that
 * rebuilds the transaction cannot use.
 */
export const NULL_ACCOUNT: AccountAddress = accountAddressOf(new Uint8Array(32));

/** Fee of the transaction without resources, in stroops. The facilitator bids its own. */
const BASE_FEE = 100n;
/** The envelope's validity in seconds; the facilitator's own envelope has other bounds. */
const VALID_SECONDS = 300n;

export interface TransferEnvelopeParts {
  readonly source: AccountAddress;
  readonly invocation: xdr.InvokeContractArgs;
  readonly authorizations: readonly xdr.SorobanAuthorizationEntry[];
  /** The resources from the last simulation; undefined before it. */
  readonly resources?: { readonly data: xdr.SorobanTransactionData; readonly fee: bigint };
  /** Seconds since 1970. */
  readonly now: number;
}

/** Builds the unsigned envelope of one invocation, base64 XDR. */
export function transferEnvelope(parts: TransferEnvelopeParts): string {
  const { source, invocation, authorizations, resources, now } = parts;
  const operation = new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({
        hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
        auth: [...authorizations],
      }),
    ),
  });
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(addressBytes(source)),
    fee: Number(BASE_FEE + (resources?.fee ?? 0n)),
    seqNum: 0n,
    cond: xdr.Preconditions.precondTime(
      new xdr.TimeBounds({ minTime: 0n, maxTime: BigInt(Math.floor(now)) + VALID_SECONDS }),
    ),
    memo: xdr.Memo.memoNone(),
    operations: [operation],
    ext: resources ? xdr.TransactionExt.sorobanData(resources.data) : xdr.TransactionExt.v0(),
  });
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx, signatures: [] }),
  ).toXdr('base64');
}
