import type { LedgerHistory } from '../history/index.ts';
import { type RangeFieldsAsText, rangeFieldsAsText } from './ledgerRange.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { type TransactionFields, transactionFields } from './transactionFields.ts';
import { formatOf, type XdrFormat } from './xdrFormat.ts';

const HASH_LETTERS = 64;

/** Result of `getTransaction`. Times are seconds since 1970, as strings. */
export type TransactionResult<F extends XdrFormat = XdrFormat> =
  | FoundTransaction<F>
  | MissingTransaction;

type FoundTransaction<F extends XdrFormat> = RangeFieldsAsText &
  TransactionFields<F> & { readonly createdAt: string };

interface MissingTransaction extends RangeFieldsAsText {
  readonly status: 'NOT_FOUND';
  readonly txHash: string;
  readonly applicationOrder: 0;
  readonly feeBump: false;
  readonly events: Readonly<Record<string, never>>;
  readonly ledger: 0;
  readonly createdAt: '0';
}

/**
 * Finds a transaction by its hash, and a fee bump also by the hash of its inner transaction. If a ledger that includes it is
 * about to close on demand, the answer waits those few milliseconds, because a client that asks too early would pause for a
 * second. Rejects with RpcError.
 */
export async function getTransaction(
  { service }: RpcNetwork,
  params: RpcParams,
): Promise<TransactionResult> {
  const { history } = service;
  const format = formatOf(params);
  const hash = params.text('hash');
  if (hash.length >> 1 !== HASH_LETTERS / 2) {
    throw new RpcError('invalidParams', `unexpected hash length (${hash.length})`);
  }
  if (!/^[0-9a-f]{64}$/i.test(hash)) {
    throw new RpcError('invalidParams', 'incorrect hash: it is not hexadecimal');
  }
  await service.settled(hash.toLowerCase());
  const found = history.transaction(hash.toLowerCase());
  if (found === undefined) return notFound(history, hash);
  return {
    ...rangeFieldsAsText(history),
    ...transactionFields(found.transaction, found.ledger, format),
    txHash: hash,
    createdAt: String(found.ledger.closeTime),
  };
}

/** The answer for a transaction that is not in any known ledger. */
export function notFound(history: LedgerHistory, hash: string): MissingTransaction {
  return {
    ...rangeFieldsAsText(history),
    status: 'NOT_FOUND',
    txHash: hash,
    applicationOrder: 0,
    feeBump: false,
    events: {},
    ledger: 0,
    createdAt: '0',
  };
}
