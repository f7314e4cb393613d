import { later, t } from '../words/index.ts';

/** The ways in which a test payment can fail. */
export type TestFailureCode =
  | 'endpoint_down'
  | 'endpoint_slow'
  | 'endpoint_broken'
  | 'no_start_script'
  | 'server_ended'
  | 'server_silent'
  | 'packages_missing'
  | 'service_unresponsive'
  | 'endpoint_failed'
  | 'not_paid'
  | 'redirected'
  | 'not_authorized'
  | 'request_refused'
  | 'invalid_terms'
  | 'wrong_network'
  | 'no_way_to_pay'
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
  | 'not_settled'
  | 'outcome_unknown'
  | 'cancelled'
  | 'internal';

/** What the editor can do about a failure. */
export type TestOffer =
  | 'retry'
  | 'startService'
  | 'restartService'
  | 'startAndTest'
  | 'installPackages'
  | 'openSettings'
  | 'createWallet'
  | 'showLog'
  | 'showSettlement'
  | 'resetService'
  | 'followRedirect'
  | 'checkSetup';

interface FailureRow {
  readonly sentence: string;
  readonly offers: readonly TestOffer[];
}

/** One message per failure, with its fix. */
export const TEST_FAILURES: Readonly<Record<TestFailureCode, FailureRow>> = {
  endpoint_down: {
    sentence: later('Nothing responds at this URL. Is your server running, and is the port right?'),
    offers: ['startAndTest', 'retry'],
  },
  endpoint_slow: {
    sentence: later(
      'The endpoint did not respond within the time limit. Raise the limit, or check your server.',
    ),
    offers: ['retry'],
  },
  endpoint_broken: {
    sentence: later(
      'The connection ended before a response came. Check the address, http or https, and your server.',
    ),
    offers: ['retry'],
  },
  no_start_script: {
    sentence: later(
      'The package.json of this endpoint has no dev or start script. Start your server in a terminal, then send the request.',
    ),
    offers: ['retry'],
  },
  server_ended: {
    sentence: later('Your server ended before it served this endpoint.'),
    offers: ['startAndTest'],
  },
  server_silent: {
    sentence: later(
      'Your server is running, but it has opened no port that responds. Enter the right URL, then send the request.',
    ),
    offers: ['retry'],
  },
  packages_missing: {
    sentence: later('Packages that your server needs are not installed.'),
    offers: ['installPackages'],
  },
  service_unresponsive: {
    sentence: later("The local service isn't responding. Restart it."),
    offers: ['restartService'],
  },
  endpoint_failed: {
    sentence: later(
      "The endpoint failed before it required payment. If it reports that no payment kinds are loaded, the facilitator wasn't running when your server started: start the service, then restart your server.",
    ),
    offers: ['startService', 'retry'],
  },
  not_paid: {
    sentence: later(
      'The endpoint answered without asking for a payment (402). If it should be paid: is the payment in front of this route, and are the URL and method correct?',
    ),
    offers: [],
  },
  redirected: {
    sentence: later('The endpoint redirects to another address. Nothing was paid.'),
    offers: ['followRedirect'],
  },
  not_authorized: {
    sentence: later(
      'The endpoint asks for authorization before it asks for a payment. Add the header that it names, then send the request again.',
    ),
    offers: [],
  },
  request_refused: {
    sentence: later(
      'The endpoint refused the request before it asked for a payment. Check the URL, the method and the parameters.',
    ),
    offers: [],
  },
  invalid_terms: {
    sentence: later("The endpoint's payment terms are malformed. Fix them in its code."),
    offers: ['retry'],
  },
  wrong_network: {
    sentence: later('The endpoint is paid on a network other than stellar:testnet.'),
    offers: ['openSettings'],
  },
  no_way_to_pay: {
    sentence: later('The endpoint offers no way to pay that this request can use.'),
    offers: [],
  },
  fees_not_sponsored: {
    sentence: later(
      "The endpoint's facilitator does not pay network fees, or the endpoint could not reach it when it started. Point the endpoint at the running facilitator and restart it.",
    ),
    offers: ['startService', 'retry'],
  },
  unsupported_asset: {
    sentence: later(
      'The endpoint is paid in an asset other than testnet USDC, which a test payment cannot buy.',
    ),
    offers: [],
  },
  price_too_high: {
    sentence: later('The price exceeds the limit for test payments (100 USDC).'),
    offers: [],
  },
  own_address: {
    sentence: later("The test payment's key is the same as the payment address. Nothing was paid."),
    offers: ['retry'],
  },
  payto_without_trustline: {
    sentence: later(
      'The payment address has no trustline to USDC, so it cannot receive the payment. Add one, or create a local wallet, which comes with one.',
    ),
    offers: ['createWallet', 'openSettings'],
  },
  network_down: {
    sentence: later("The network isn't responding."),
    offers: ['startService', 'retry', 'checkSetup'],
  },
  funding_failed: {
    sentence: later("The funding service didn't provide test XLM."),
    offers: ['retry', 'showLog'],
  },
  no_liquidity: {
    sentence: later("The exchange currently doesn't offer enough testnet USDC for XLM."),
    offers: ['retry', 'resetService'],
  },
  transaction_failed: {
    sentence: later('The network rejected a transaction from the test account.'),
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
      "The payment settled, but then the endpoint failed. Money moved, so the payment is not retried. Check your server's log.",
    ),
    offers: ['showSettlement'],
  },
  endpoint_failed_paid: {
    sentence: later(
      "The endpoint answered the paid request with an error, and the ledger shows no settlement yet. Check your server's log, and check the settlements before you pay again.",
    ),
    offers: ['showSettlement', 'retry'],
  },
  not_settled: {
    sentence: later('The payment did not settle, and it no longer can. Nothing was paid.'),
    offers: ['retry', 'showLog'],
  },
  outcome_unknown: {
    sentence: later(
      'No response to the paid request shows whether the payment settled. Check the settlements before you pay again.',
    ),
    offers: ['showSettlement', 'showLog'],
  },
  cancelled: {
    sentence: later('The test payment was cancelled. Nothing was paid.'),
    offers: ['retry'],
  },
  internal: {
    sentence: later('The test payment failed because of an internal error.'),
    offers: ['showLog'],
  },
};

/**
 * Whether an error is a `TestFailure`. The steps run in a bundle that is loaded on demand and has its own copy of the class, so
 * the name decides, not the class.
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

/** A test payment that failed. `detail` is the other side's response. */
export class TestFailure extends Error {
  readonly code: TestFailureCode;
  readonly detail: string;
  /** Hash of the submitted transaction; empty if there is none. */
  readonly transaction: string;

  constructor(code: TestFailureCode, detail = '', transaction = '', options?: ErrorOptions) {
    super(t(TEST_FAILURES[code].sentence) + (detail === '' ? '' : ` (${detail})`), options);
    this.name = 'TestFailure';
    this.code = code;
    this.detail = detail;
    this.transaction = transaction;
  }
}
