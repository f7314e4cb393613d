import { later, t } from '../words/index.ts';

/** Each way in which a test payment can fail. */
export type TestFailureCode =
  | 'endpoint_down'
  | 'endpoint_failed'
  | 'not_paid'
  | 'invalid_terms'
  | 'wrong_network'
  | 'fees_not_sponsored'
  | 'unsupported_asset'
  | 'price_too_high'
  | 'own_address'
  | 'payto_without_trustline'
  | 'network_down'
  | 'funding_failed'
  | 'no_liquidity'
  | 'transaction_failed'
  | 'cannot_pay'
  | 'facilitator_refused'
  | 'settled_without_resource'
  | 'endpoint_failed_paid'
  | 'outcome_unknown'
  | 'cancelled'
  | 'internal';

/** What the editor can do about a failure. */
export type TestOffer =
  | 'retry'
  | 'startService'
  | 'openSettings'
  | 'createWallet'
  | 'showLog'
  | 'showSettlement'
  | 'resetService'
  | 'checkSetup';

interface FailureRow {
  readonly sentence: string;
  readonly offers: readonly TestOffer[];
}

/** One sentence a failure, and what fixes it. */
export const TEST_FAILURES: Readonly<Record<TestFailureCode, FailureRow>> = {
  endpoint_down: {
    sentence: later('The endpoint does not answer. Start your server and try again.'),
    offers: ['retry'],
  },
  endpoint_failed: {
    sentence: later(
      'The endpoint failed before it asked for a payment. If it says that no payment kinds are loaded, the facilitator was not running when your server started: start the service and restart your server.',
    ),
    offers: ['startService', 'retry'],
  },
  not_paid: {
    sentence: later(
      'The endpoint did not ask for a payment (402). Is the gate in front of this route, and is this the right URL and method?',
    ),
    offers: ['retry'],
  },
  invalid_terms: {
    sentence: later(
      'The endpoint asks for a payment in terms that are malformed. Fix them in its code.',
    ),
    offers: ['retry'],
  },
  wrong_network: {
    sentence: later('The endpoint is paid on another network than stellar:testnet.'),
    offers: ['openSettings'],
  },
  fees_not_sponsored: {
    sentence: later(
      "The endpoint's facilitator does not pay network fees, or the endpoint could not reach it when it started. Point the endpoint at the running facilitator and restart it.",
    ),
    offers: ['startService', 'retry'],
  },
  unsupported_asset: {
    sentence: later(
      'The endpoint is paid in another asset than testnet USDC, which a test payment cannot buy.',
    ),
    offers: [],
  },
  price_too_high: {
    sentence: later('The price is above what a test payment spends at most (100 USDC).'),
    offers: [],
  },
  own_address: {
    sentence: later(
      'The key of the test payment equals the address that is paid. Nothing was paid.',
    ),
    offers: ['retry'],
  },
  payto_without_trustline: {
    sentence: later(
      'The address that is paid has no trustline to USDC, so it cannot receive the payment. Add one, or create a local wallet that has it.',
    ),
    offers: ['createWallet', 'openSettings'],
  },
  network_down: {
    sentence: later('The network does not answer.'),
    offers: ['startService', 'retry', 'checkSetup'],
  },
  funding_failed: {
    sentence: later('The funding service gave no test XLM.'),
    offers: ['retry', 'showLog'],
  },
  no_liquidity: {
    sentence: later('Nobody sells enough testnet USDC for XLM on the exchange now.'),
    offers: ['retry', 'resetService'],
  },
  transaction_failed: {
    sentence: later('The network refused a transaction of the test account.'),
    offers: ['retry', 'showLog'],
  },
  cannot_pay: {
    sentence: later('The network would not execute the payment. Nothing was paid.'),
    offers: ['retry', 'showLog'],
  },
  facilitator_refused: {
    sentence: later('The facilitator refused the payment.'),
    offers: ['showLog', 'retry'],
  },
  settled_without_resource: {
    sentence: later(
      'The payment settled, but the endpoint then failed. Money moved: this is not tried again. Look at the log of your server.',
    ),
    offers: ['showSettlement'],
  },
  endpoint_failed_paid: {
    sentence: later(
      'The endpoint answered the paid request with an error. The ledger shows no settlement yet. Look at the log of your server, and at the settlements before you pay again.',
    ),
    offers: ['showSettlement', 'retry'],
  },
  outcome_unknown: {
    sentence: later(
      'The paid request got no answer, so it is not known whether the payment settled. Look at the settlements before you pay again.',
    ),
    offers: ['showSettlement', 'showLog'],
  },
  cancelled: {
    sentence: later('The test payment was cancelled. Nothing was paid.'),
    offers: ['retry'],
  },
  internal: { sentence: later('The test payment met a fault of its own.'), offers: ['showLog'] },
};

/**
 * Whether an error is a `TestFailure`. The steps run in a bundle that is loaded when it is needed,
 * and has a class of its own, so the name decides, not the class.
 */
export function isTestFailure(error: unknown): error is TestFailure {
  return (
    error instanceof Error &&
    error.name === 'TestFailure' &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code in TEST_FAILURES
  );
}

/** A test payment that failed. `detail` is what the other side answered. */
export class TestFailure extends Error {
  readonly code: TestFailureCode;
  readonly detail: string;
  /** Hash of the transaction that was submitted; empty when there was none. */
  readonly transaction: string;

  constructor(code: TestFailureCode, detail = '', transaction = '', options?: ErrorOptions) {
    super(t(TEST_FAILURES[code].sentence) + (detail === '' ? '' : ` (${detail})`), options);
    this.name = 'TestFailure';
    this.code = code;
    this.detail = detail;
    this.transaction = transaction;
  }
}
