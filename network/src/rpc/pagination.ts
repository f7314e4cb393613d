import type { LedgerRange } from './ledgerRange.ts';
import { RpcError } from './rpcError.ts';
import type { RpcParams } from './rpcParams.ts';
import { formatProblem } from './xdrFormat.ts';

/** Where a list of ledgers or transactions begins, and its maximum length. */
export interface Page {
  readonly startLedger: number;
  /** Empty if there is none. */
  readonly cursor: string;
  readonly limit: number;
}

/**
 * Reads `startLedger` and `pagination` and checks them as Stellar RPC does (go-stellar-sdk `protocols/rpc/get_ledgers.go`).
 * @throws RpcError
 */
export function pageOf(
  params: RpcParams,
  range: LedgerRange,
  limits: { readonly max: number; readonly default: number },
): Page {
  const startLedger = params.count('startLedger');
  const pagination = params.object('pagination');
  const cursor = pagination?.text('cursor') ?? '';
  const limit = pagination?.count('limit') ?? 0;
  const problems = [
    pageProblem(startLedger, cursor, limit, range, limits.max),
    formatProblem(params.text('xdrFormat')),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new RpcError('invalidRequest', problems.join('\n'));
  return { startLedger, cursor, limit: limit > 0 ? limit : limits.default };
}

function pageProblem(
  startLedger: number,
  cursor: string,
  limit: number,
  { first, last }: LedgerRange,
  maxLimit: number,
): string | undefined {
  if (cursor !== '') {
    if (startLedger !== 0) {
      return `startLedger (${startLedger}) and cursor (${cursor}) cannot both be set`;
    }
  } else if (startLedger < first || startLedger > last) {
    return `start ledger (${startLedger}) must be between the oldest ledger: ${first} and the latest ledger: ${last} for this rpc instance`;
  }
  return limit > maxLimit ? `limit must not exceed ${maxLimit}` : undefined;
}
