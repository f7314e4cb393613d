import type { xdr } from '@stellar/stellar-sdk';
import { accountOfMuxed } from '../balances/index.ts';

/** One operation of a transaction, with its source made explicit. */
export interface ParsedOperation {
  readonly index: number;
  readonly body: xdr.OperationBody;
  /** The operation's source account, unmuxed. */
  readonly source: xdr.PublicKey;
  /** The source as written: the operation's, or the transaction's if the operation does not have one. */
  readonly muxedSource: xdr.MuxedAccount;
  /** True if the operation has its own source. */
  readonly namesSource: boolean;
}

export function parseOperation(
  operation: xdr.Operation,
  index: number,
  transactionSource: { readonly account: xdr.PublicKey; readonly muxed: xdr.MuxedAccount },
): ParsedOperation {
  const { body, sourceAccount } = operation;
  if (sourceAccount === null) {
    const { account, muxed } = transactionSource;
    return { index, body, source: account, muxedSource: muxed, namesSource: false };
  }
  const source = accountOfMuxed(sourceAccount);
  return { index, body, source, muxedSource: sourceAccount, namesSource: true };
}

/** True for the three Soroban operations. */
export function isSorobanBody(body: xdr.OperationBody): body is SorobanOperationBody {
  return (
    body.type === 'invokeHostFunction' ||
    body.type === 'extendFootprintTtl' ||
    body.type === 'restoreFootprint'
  );
}

export type SorobanOperationBody = Extract<
  xdr.OperationBody,
  { type: 'invokeHostFunction' | 'extendFootprintTtl' | 'restoreFootprint' }
>;
