import * as xdr from '@stellar/stellar-sdk/xdr';
import { USDC_ISSUER } from '../../src/protocol/index.ts';
import {
  contractAddressOf,
  readAuthorization,
  readI128,
  readScAddress,
  readTransferCall,
  type TransferCall,
} from '../../src/protocol/stellar/index.ts';
import type { LedgerFacts, Movement } from '../helpers/truth/judge.ts';
import type { SignedPayment } from './records.ts';

/** A transaction as the RPC server of the network has it. */
interface RpcTransaction {
  readonly status: 'SUCCESS' | 'FAILED';
  readonly txHash: string;
  readonly ledger: number;
  readonly envelopeXdr: string;
  readonly events: { readonly contractEventsXdr?: readonly (readonly string[])[] };
}

interface TransactionPage {
  readonly transactions: readonly RpcTransaction[];
  readonly cursor: string;
}

/** A successful transaction that carried an authorization. */
interface Carried extends Movement {
  /** Payer and nonce. */
  readonly key: string;
  readonly expirationLedger: number;
}

const PAGE = 200;

async function pageOf(
  rpcUrl: string,
  from: { readonly startLedger: number } | { readonly cursor: string },
): Promise<TransactionPage> {
  const pagination = { limit: PAGE, ...('cursor' in from ? from : {}) };
  const params = { ...('cursor' in from ? {} : from), pagination };
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransactions', params }),
  });
  return ((await response.json()) as { result: TransactionPage }).result;
}

/** Every transaction since a ledger, sent by anyone. */
async function transactionsSince(rpcUrl: string, startLedger: number): Promise<RpcTransaction[]> {
  const all: RpcTransaction[] = [];
  for (let from: Parameters<typeof pageOf>[1] = { startLedger }; ; ) {
    const { transactions, cursor } = await pageOf(rpcUrl, from);
    all.push(...transactions);
    if (transactions.length < PAGE) return all;
    from = { cursor };
  }
}

function entriesOf(envelope: string): readonly xdr.SorobanAuthorizationEntry[] {
  const read = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  const inner = read.type === 'envelopeTypeTxFeeBump' ? read.feeBump.tx.innerTx : read;
  const operations = 'v1' in inner ? inner.v1.tx.operations : [];
  return operations.flatMap(({ body }) =>
    body.type === 'invokeHostFunction' ? body.invokeHostFunctionOp.auth : [],
  );
}

/** What a call's recipient got by the events of its asset; the issuer gets what is burnt. */
function arrivedBy(events: readonly string[], { asset, from, to }: TransferCall): bigint {
  let arrived = 0n;
  for (const text of events) {
    const { contractId, body } = xdr.ContractEvent.fromXdr(text, 'base64');
    if (contractId === null || contractAddressOf(contractId.value) !== asset) continue;
    const { topics, data } = body.v0;
    const [name, ...rest] = topics;
    const parties = rest.flatMap((topic) =>
      topic.type === 'scvAddress' ? (readScAddress(topic.address) ?? []) : [],
    );
    const kind = name?.type === 'scvSymbol' ? name.sym.toString() : '';
    const expected = { transfer: [from, to], mint: [to], burn: to === USDC_ISSUER ? [from] : [] };
    const wanted = kind in expected ? expected[kind as keyof typeof expected] : [];
    if (wanted.length === 0 || wanted.some((party, index) => parties[index] !== party)) continue;
    arrived += readI128(data) ?? 0n;
  }
  return arrived;
}

function carriedBy({ txHash, ledger, envelopeXdr, events }: RpcTransaction): readonly Carried[] {
  const emitted = (events.contractEventsXdr ?? []).flat();
  return entriesOf(envelopeXdr).flatMap((entry) => {
    const signed = readAuthorization(entry);
    const invoked = signed?.invocation.function;
    if (signed === undefined || invoked?.type !== 'sorobanAuthorizedFunctionTypeContractFn') {
      return [];
    }
    const call = readTransferCall(invoked.contractFn);
    if (call === undefined) return [];
    const { address, nonce, expirationLedger } = signed;
    const arrived = arrivedBy(emitted, call);
    return [{ key: `${address}:${nonce}`, expirationLedger, hash: txHash, ledger, arrived }];
  });
}

/**
 * Reads from the ledger itself, not through the proxy, which transactions carried each signed payment, sent by anyone, and
 * what arrived.
 */
export async function readLedger(
  rpcUrl: string,
  firstLedger: number,
  signed: readonly SignedPayment[],
): Promise<LedgerFacts[]> {
  const transactions = await transactionsSince(rpcUrl, firstLedger);
  const carried = transactions.filter(({ status }) => status === 'SUCCESS').flatMap(carriedBy);
  return signed.map(({ id, key, expirationLedger, sale }) => {
    const ofKey = carried.filter((one) => one.key === key);
    return {
      payment: id,
      moved: ofKey.filter((one) => one.expirationLedger === expirationLedger),
      kin: ofKey.filter((one) => one.expirationLedger !== expirationLedger),
      sale,
    };
  });
}
