import {
  ERROR_TABLE,
  type ErrorCode,
  type MoneyMoved,
  publicCode,
  STELLAR_TESTNET,
} from '../../protocol/index.ts';
import type { SettleResponse, VerifyResponse } from '../../protocol/wire/index.ts';
import type { KnownFate, Rejection } from '../facilitator/index.ts';

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
export function errorMessage({ code, detail, known }: Rejection): string {
  const row = ERROR_TABLE[code];
  const name = row.specification;
  const prefix = name === null || name === row.reason ? '' : `${name}: `;
  const happened = `${prefix}${row.message}${detail === undefined ? '' : ` (${detail})`}`;
  if (known?.inWords === undefined) return `${happened} ${row.fix}`;
  const { inWords } = known;
  const fate = `${inWords.charAt(0).toUpperCase()}${inWords.slice(1)}.`;
  const advice = adviceFor(known);
  // What would make the payment valid is of no use once it is made.
  return [happened, fate, known.moneyMoved === 'yes' ? '' : row.fix, advice]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Returns what to do before another payment for the same purchase; empty if one may be signed. */
function adviceFor({ moneyMoved, until }: KnownFate): string {
  switch (moneyMoved) {
    case 'yes':
      return 'Sign another payment only for another purchase.';
    case 'not_yet':
      return `The same payload can be presented again; do not sign another one for this purchase before ledger ${until} has closed.`;
    case 'unknown':
      return 'Ask again before you sign another payment for this purchase.';
    case 'no':
    case 'fees':
      return '';
  }
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
    /** Last ledger in which the authorization can still pay. */
    readonly payableUntil?: number;
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
      ...(known?.until === undefined ? {} : { payableUntil: known.until }),
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

/** The amount that a refused settlement moved, in atomic units; absent while nothing shows it. */
function amountIn({ code, known }: Rejection): { readonly amount?: string } {
  if (code === 'settlement_pending') return {};
  if (code !== 'paid_less') return { amount: '0' };
  const arrived = known?.arrived ?? 0n;
  return arrived > 0n ? { amount: arrived.toString() } : {};
}

/** Body of a failed `/settle`: readable by the canonical client at any status. */
export function failedBody(rejection: Rejection, transaction: string): SettleResponse & Superset {
  return {
    success: false,
    transaction,
    network: STELLAR_TESTNET,
    ...(rejection.payer === undefined ? {} : { payer: rejection.payer }),
    // While the ledger has not decided, no amount would be correct.
    ...amountIn(rejection),
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
