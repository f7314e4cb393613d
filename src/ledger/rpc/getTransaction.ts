import type { LedgerHistory } from '../history/index.ts';
import { rangeFieldsAsText } from './ledgerRange.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { transactionFields } from './transactionFields.ts';
import { formatOf } from './xdrFormat.ts';

const HASH_LETTERS = 64;

/** Finds a transaction by its hash, a fee bump also by that of the transaction within. @throws RpcError */
export function getTransaction({ service: { history } }: RpcNetwork, params: RpcParams): unknown {
  const format = formatOf(params);
  const hash = params.text('hash');
  if (hash.length >> 1 !== HASH_LETTERS / 2) {
    throw new RpcError('invalidParams', `unexpected hash length (${hash.length})`);
  }
  if (!/^[0-9a-f]{64}$/i.test(hash)) {
    throw new RpcError('invalidParams', 'incorrect hash: it is not hexadecimal');
  }
  const found = history.transaction(hash.toLowerCase());
  if (found === undefined) return notFound(history, hash);
  return {
    ...rangeFieldsAsText(history),
    ...transactionFields(found.transaction, found.ledger, format),
    txHash: hash,
    createdAt: String(found.ledger.closeTime),
  };
}

/** The answer about a transaction that no ledger has, as far as is known. */
export function notFound(history: LedgerHistory, hash: string): unknown {
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
