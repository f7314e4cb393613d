import { xdr } from '@stellar/stellar-sdk';
import { readMuxedAccount } from '../../../common/scAddress.ts';
import type { FoundTransaction } from '../history/index.ts';
import type { CallCost } from '../host/index.ts';
import { type LedgerState, storedEntry } from '../state/index.ts';
import { contractBook } from './contractBook.ts';
import { traceInvocation } from './invocationTrace.ts';
import { storageChanges } from './storageTrace.ts';
import { paymentStory, type Sender } from './story.ts';
import type { ToldTrace } from './trace.ts';
import { type AddressNames, traceText } from './traceText.ts';

/** The fees charged for a transaction, in stroops. */
export interface TracedFees {
  readonly charged: string;
  readonly bid: string;
  readonly paidBy: string;
  /** For inclusion in the ledger. */
  readonly inclusion: string;
  /** For instructions, reads, writes and bytes; null for transactions without contracts. */
  readonly resources: string | null;
  /** For rent and events. */
  readonly refundable: string | null;
  /** The part of `refundable` that pays for rent. */
  readonly rent: string | null;
}

/** The trace of a transaction. */
export interface TransactionTrace extends ToldTrace {
  readonly kind: 'transaction';
  /** Hex. */
  readonly hash: string;
  readonly ledger: number;
  /** stellar-core's name for it: `txSuccess`, `invokeHostFunctionTrapped`. */
  readonly result: string;
  readonly fees: TracedFees;
}

/** What is known besides the transaction's ledger. */
export interface TraceSource {
  /** Provides the names and interfaces of contracts, and the TTLs of unchanged entries. */
  readonly state: LedgerState;
  /** What each call of a transaction consumed, by the transaction's hash, if still cached. */
  readonly callCosts: { of(hash: string): readonly CallCost[] | undefined };
}

/** Explains a transaction in a ledger from the diagnostic events, changes and fees in its meta. */
export function traceTransaction(
  { ledger, transaction }: FoundTransaction,
  { state, callCosts }: TraceSource,
  names: AddressNames,
): TransactionTrace {
  const { envelope, successful } = transaction;
  const parts = partsOf(envelope);
  const invoked = parts.operations.map(({ body }) => body).find(isInvocation);
  const changes = parts.operations.flatMap((_, at) => [...transaction.operationChanges(at)]);
  const { footprint } = parts.sorobanData?.resources ?? {};
  const [operation] = parts.operations;
  const source = readMuxedAccount(operation?.sourceAccount ?? parts.source);
  const trace = traceInvocation(
    {
      events: transaction.diagnosticEvents,
      successful,
      source,
      auth: invoked?.invokeHostFunctionOp.auth ?? [],
      calls: callCosts.of(transaction.innerHash ?? transaction.hash) ?? [],
      storage: {
        footprint,
        ...storageChanges(changes),
        liveUntil: (id) => storedEntry(state, id)?.liveUntil || undefined,
      },
    },
    contractBook(state),
  );
  const fees = feesOf(transaction.result, transaction.meta, parts);
  const sender: Sender = {
    source: readMuxedAccount(parts.source),
    feeSource: parts.feeSource,
    charged: BigInt(fees.charged),
    bid: parts.bid,
  };
  const story = paymentStory(trace, sender, (address) => names.get(address));
  const result = resultName(transaction.result);
  const title = `Transaction ${transaction.hash} in ledger ${ledger.sequence}: ${successful ? 'successful' : `failed (${result})`}`;
  return {
    kind: 'transaction',
    hash: transaction.hash,
    ledger: ledger.sequence,
    result,
    fees,
    story,
    ...trace,
    text: traceText(title, story, trace, names, [feeText(fees)]),
  };
}

function isInvocation(
  body: xdr.OperationBody,
): body is Extract<xdr.OperationBody, { type: 'invokeHostFunction' }> {
  return body.type === 'invokeHostFunction';
}

interface EnvelopeParts {
  readonly source: xdr.MuxedAccount;
  readonly feeSource: string;
  /** Stroops. */
  readonly bid: bigint;
  readonly operations: readonly xdr.Operation[];
  readonly sorobanData: xdr.SorobanTransactionData | undefined;
}

function partsOf(envelope: xdr.TransactionEnvelope): EnvelopeParts {
  if (envelope.type === 'envelopeTypeTxFeeBump') {
    const { feeSource, fee, innerTx } = envelope.feeBump.tx;
    return { ...partsOf(innerTx), feeSource: readMuxedAccount(feeSource), bid: fee };
  }
  if (envelope.type === 'envelopeTypeTxV0') {
    const { sourceAccountEd25519, fee, operations } = envelope.v0.tx;
    const source = xdr.MuxedAccount.keyTypeEd25519(sourceAccountEd25519);
    const feeSource = readMuxedAccount(source);
    return { source, feeSource, bid: BigInt(fee), operations, sorobanData: undefined };
  }
  const { sourceAccount: source, fee, operations, ext } = envelope.v1.tx;
  const sorobanData = ext.type === 'v0' ? undefined : ext.sorobanData;
  return { source, feeSource: readMuxedAccount(source), bid: BigInt(fee), operations, sorobanData };
}

/** The innermost name of a result: that of the failed operation, if any. */
function resultName({ result }: xdr.TransactionResult): string {
  if (result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed') {
    const inner = result.innerResultPair.result.result;
    return inner.type === 'txFailed' ? failedOperation(inner.results) : inner.type;
  }
  return result.type === 'txFailed' ? failedOperation(result.results) : result.type;
}

function failedOperation(results: readonly xdr.OperationResult[]): string {
  for (const one of results) {
    if (one.type !== 'opInner') return one.type;
    const { type } = one.tr.value;
    if (!type.endsWith('Success')) return type;
  }
  return 'txFailed';
}

function feesOf(
  { feeCharged }: xdr.TransactionResult,
  meta: xdr.TransactionMeta,
  { feeSource, bid }: EnvelopeParts,
): TracedFees {
  const soroban = meta.type === 'v4' ? meta.v4.sorobanMeta : null;
  const parts = soroban?.ext.type === 'v1' ? soroban.ext.v1 : undefined;
  const resources = parts?.totalNonRefundableResourceFeeCharged;
  const refundable = parts?.totalRefundableResourceFeeCharged;
  return {
    charged: String(feeCharged),
    bid: String(bid),
    paidBy: feeSource,
    inclusion: String(feeCharged - (resources ?? 0n) - (refundable ?? 0n)),
    resources: resources === undefined ? null : String(resources),
    refundable: refundable === undefined ? null : String(refundable),
    rent: parts === undefined ? null : String(parts.rentFeeCharged),
  };
}

function feeText({ charged, bid, inclusion, resources, refundable, rent }: TracedFees): string {
  const parts =
    resources === null
      ? ''
      : `: ${inclusion} for inclusion, ${resources} for resources, ${refundable} for rent and events (rent ${rent})`;
  return `${charged} of ${bid} stroops${parts}`;
}
