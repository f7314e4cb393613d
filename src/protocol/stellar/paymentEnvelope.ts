import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../address.ts';
import { readMuxedAccount } from './scAddress.ts';

/** A buyer's unsigned transaction, decoded as far as every scheme needs it. */
export interface PaymentEnvelope {
  readonly source: AccountAddress;
  /** Source of the operation, if it names its own. */
  readonly operationSource: AccountAddress | undefined;
  /** The one operation, without its own source, ready to run on a channel account. */
  readonly operation: xdr.Operation;
  readonly invocation: xdr.InvokeContractArgs;
  readonly authorizations: readonly xdr.SorobanAuthorizationEntry[];
  /** Fee in stroops from the buyer's simulation. The facilitator bids its own. */
  readonly fee: bigint;
}

export type DecodedEnvelope =
  | { readonly ok: true; readonly envelope: PaymentEnvelope }
  | { readonly ok: false; readonly code: 'payload_malformed' | 'wrong_operation' };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function decodeTransaction(text: string): xdr.Transaction | undefined {
  if (!BASE64.test(text) || text.length % 4 !== 0) return undefined;
  try {
    const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
    return envelope.type === 'envelopeTypeTx' ? envelope.v1.tx : undefined;
  } catch {
    // Any error in bytes from others has the same result: malformed.
    return undefined;
  }
}

/**
 * Decodes `payload.transaction`: a transaction with exactly one operation that invokes a contract
 * (reference: scheme `exact` on Stellar, rules of the payload). Fee bumps and envelopes of the
 * first transaction format, which cannot carry Soroban data, are malformed.
 */
export function decodePaymentEnvelope(text: unknown): DecodedEnvelope {
  const transaction = typeof text === 'string' ? decodeTransaction(text) : undefined;
  if (transaction === undefined) return { ok: false, code: 'payload_malformed' };

  const [operation, ...others] = transaction.operations;
  if (
    operation?.body.type !== 'invokeHostFunction' ||
    others.length > 0 ||
    operation.body.invokeHostFunctionOp.hostFunction.type !== 'hostFunctionTypeInvokeContract'
  ) {
    return { ok: false, code: 'wrong_operation' };
  }
  const { hostFunction, auth } = operation.body.invokeHostFunctionOp;
  return {
    ok: true,
    envelope: {
      source: readMuxedAccount(transaction.sourceAccount),
      operationSource:
        operation.sourceAccount === null ? undefined : readMuxedAccount(operation.sourceAccount),
      operation: new xdr.Operation({ sourceAccount: null, body: operation.body }),
      invocation: hostFunction.invokeContract,
      authorizations: auth,
      fee: BigInt(transaction.fee),
    },
  };
}
