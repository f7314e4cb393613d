import {
  ERROR_TABLE,
  type ErrorCode,
  type MoneyMoved,
  publicCode,
  STELLAR_TESTNET,
} from '../../protocol/index.ts';
import type { SettleResponse, VerifyResponse } from '../../protocol/wire/index.ts';
import type { Rejection } from '../facilitator/index.ts';

/** The responding endpoint, which determines the members that the canonical client looks for. */
export type Endpoint = 'verify' | 'settle' | 'settlements' | 'discovery' | 'mcp' | 'other';

export function endpointOf(path: string): Endpoint {
  if (path === '/verify') return 'verify';
  if (path === '/settle') return 'settle';
  if (path === '/settlements' || path.startsWith('/settlements/')) return 'settlements';
  if (path === '/mcp') return 'mcp';
  if (path === '/.well-known/x402') return 'discovery';
  return path.startsWith('/discovery/') ? 'discovery' : 'other';
}

/** Returns one line for people: the specification's code if it differs from the wire's, the rule, the detail. */
export function errorMessage({ code, detail }: Rejection): string {
  const row = ERROR_TABLE[code];
  const name = row.specification;
  const prefix = name === null || name === row.reason ? '' : `${name}: `;
  return `${prefix}${row.message}${detail === undefined ? '' : ` (${detail})`} ${row.fix}`;
}

/** Members that the specification and our own clients read in addition to the canonical ones. */
interface Superset {
  readonly error: string;
  readonly reason: ErrorCode;
  readonly extra: {
    readonly code: string;
    readonly cause: ErrorCode;
    readonly moneyMoved: MoneyMoved;
    readonly transaction?: string;
    readonly ledger?: number;
  };
}

/**
 * Returns the members beyond the canonical ones: the specification's `error` and `reason`, and in
 * `extra`, which the canonical client keeps, the specification's code and our own.
 */
function superset({ code, known }: Rejection): Superset {
  const { reason, moneyMoved } = ERROR_TABLE[code];
  return {
    error: reason,
    reason: code,
    extra: {
      code: publicCode(code),
      cause: code,
      moneyMoved: known?.moneyMoved ?? moneyMoved,
      ...(known?.hash === undefined ? {} : { transaction: known.hash }),
      ...(known?.ledger === undefined ? {} : { ledger: known.ledger }),
    },
  };
}

/** Body of an invalid `/verify`: readable by the canonical client at any status. */
export function invalidBody(rejection: Rejection): VerifyResponse & Superset {
  const { reason } = ERROR_TABLE[rejection.code];
  return {
    isValid: false,
    invalidReason: reason,
    invalidMessage: errorMessage(rejection),
    ...(rejection.payer === undefined ? {} : { payer: rejection.payer }),
    errorReason: reason,
    ...superset(rejection),
  };
}

/** Body of a failed `/settle`: readable by the canonical client at any status. */
export function failedBody(rejection: Rejection, transaction: string): SettleResponse & Superset {
  return {
    success: false,
    transaction,
    network: STELLAR_TESTNET,
    ...(rejection.payer === undefined ? {} : { payer: rejection.payer }),
    // While the ledger has not decided, no amount would be correct.
    ...(rejection.code === 'settlement_pending' ? {} : { amount: '0' }),
    errorReason: ERROR_TABLE[rejection.code].reason,
    errorMessage: errorMessage(rejection),
    ...superset(rejection),
  };
}

/** Returns the body of a failure at any endpoint. */
export function errorBody(endpoint: Endpoint, rejection: Rejection) {
  if (endpoint === 'verify') return invalidBody(rejection);
  if (endpoint === 'settle') return failedBody(rejection, '');
  return { message: errorMessage(rejection), ...superset(rejection) };
}
