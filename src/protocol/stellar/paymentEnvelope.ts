import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress } from '../../../common/address.ts';
import { readMuxedAccount } from '../../../common/scAddress.ts';
import { type PlainTransfer, plainTransfer } from './plainTransfer.ts';

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
  /** The bytes of `operation`. */
  readonly operationBytes: Uint8Array;
  /** The whole, if it is one transfer in its usual form. Its other parts are then decoded only when they are asked for. */
  readonly plain: PlainTransfer | undefined;
}

export type DecodedEnvelope =
  | { readonly ok: true; readonly envelope: PaymentEnvelope }
  | { readonly ok: false; readonly code: 'payload_malformed' | 'wrong_operation' };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Returns the bytes of a base64 text; `undefined` if it is malformed. */
function decodeBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || !BASE64.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64');
}

function decodeTransaction(text: string): xdr.Transaction | undefined {
  try {
    const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
    return envelope.type === 'envelopeTypeTx' ? envelope.v1.tx : undefined;
  } catch {
    // Any error in bytes from others has the same result: malformed.
    return undefined;
  }
}

/** The envelope of a plain transfer. */
class TransferEnvelope implements PaymentEnvelope {
  readonly plain: PlainTransfer;
  #operation: xdr.Operation | undefined;

  constructor(plain: PlainTransfer) {
    this.plain = plain;
  }

  get source(): AccountAddress {
    return this.plain.source;
  }

  get operationSource(): AccountAddress | undefined {
    return this.plain.operationSource;
  }

  get fee(): bigint {
    return this.plain.fee;
  }

  get operationBytes(): Uint8Array {
    return this.plain.operation;
  }

  get operation(): xdr.Operation {
    this.#operation ??= xdr.Operation.fromXdr(this.plain.operation);
    return this.#operation;
  }

  get invocation(): xdr.InvokeContractArgs {
    return this.#invoked.invocation;
  }

  get authorizations(): readonly xdr.SorobanAuthorizationEntry[] {
    return this.#invoked.authorizations;
  }

  get #invoked(): Invoked {
    const invoked = invokedBy(this.operation);
    if (invoked === undefined) throw new TypeError('a plain transfer invokes a contract');
    return invoked;
  }
}

type Invoked = Pick<PaymentEnvelope, 'invocation' | 'authorizations'>;

/** Returns what an operation invokes; `undefined` if it is another operation. */
function invokedBy({ body }: xdr.Operation): Invoked | undefined {
  if (body.type !== 'invokeHostFunction') return undefined;
  const { hostFunction, auth } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return undefined;
  return { invocation: hostFunction.invokeContract, authorizations: auth };
}

/**
 * Decodes `payload.transaction`: a transaction with exactly one operation that invokes a contract
 * (reference: scheme `exact` on Stellar, rules of the payload). Fee bumps and envelopes of the
 * first transaction format, which cannot carry Soroban data, are malformed.
 */
export function decodePaymentEnvelope(text: unknown): DecodedEnvelope {
  const bytes = decodeBase64(text);
  if (bytes === undefined) return { ok: false, code: 'payload_malformed' };
  const plain = plainTransfer(bytes);
  // The SDK judges unusual base64, such as bits after the last byte.
  if (plain !== undefined && bytes.toString('base64') === text) {
    return { ok: true, envelope: new TransferEnvelope(plain) };
  }
  const transaction = decodeTransaction(String(text));
  if (transaction === undefined) return { ok: false, code: 'payload_malformed' };

  const [operation, ...others] = transaction.operations;
  const invoked = operation && invokedBy(operation);
  if (operation === undefined || invoked === undefined || others.length > 0) {
    return { ok: false, code: 'wrong_operation' };
  }
  const alone = new xdr.Operation({ sourceAccount: null, body: operation.body });
  return {
    ok: true,
    envelope: {
      ...invoked,
      source: readMuxedAccount(transaction.sourceAccount),
      operationSource:
        operation.sourceAccount === null ? undefined : readMuxedAccount(operation.sourceAccount),
      operation: alone,
      operationBytes: alone.toXdr(),
      fee: BigInt(transaction.fee),
      plain: undefined,
    },
  };
}
