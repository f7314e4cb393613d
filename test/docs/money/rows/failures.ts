import type { FileRows, TestName } from '../row.ts';

const TABLE: TestName = [
  'src/protocol/errors/errorTable.test.ts',
  'says that no money moved only where a request carries no authorization that could have paid',
];
const PAGES: TestName = [
  'test/docs/errorCodes.test.ts',
  'each page says what happened, whether money moved, and what to do',
];
const truth = (title: string): TestName => ['test/facilitator/truth.test.ts', title];
const settling = (title: string): TestName => ['test/sim/settling.test.ts', title];

const LOOKED_UP =
  'the authorization is looked up before the refusal; the value in the table is for a payload whose authorization cannot be read';

/** The tables of failures, one row for each group of codes with one reason. */
export const FAILURES: readonly FileRows[] = [
  {
    file: 'src/protocol/errors/requestErrors.ts',
    rows: [
      {
        at: [
          'REQUEST_ERRORS.invalid_request',
          'REQUEST_ERRORS.invalid_payload',
          'REQUEST_ERRORS.invalid_payment_requirements',
          'REQUEST_ERRORS.body_too_large',
          'REQUEST_ERRORS.request_timeout',
          'REQUEST_ERRORS.headers_too_large',
          'REQUEST_ERRORS.invalid_http',
          'REQUEST_ERRORS.wrong_host',
          'REQUEST_ERRORS.foreign_origin',
          'REQUEST_ERRORS.unsupported_media_type',
          'REQUEST_ERRORS.method_not_allowed',
        ],
        state: 'none',
        from: 'the request was refused before a payment in it was read, so it names no authorization',
        test: [
          'test/facilitator/requestBounds.test.ts',
          'a connection stays in sync after refused bodies',
        ],
      },
      {
        at: [
          'REQUEST_ERRORS.rate_limited',
          'REQUEST_ERRORS.api_key_required',
          'REQUEST_ERRORS.shutting_down',
          'REQUEST_ERRORS.not_ready',
          'REQUEST_ERRORS.internal_error',
        ],
        state: ['none', 'unknown'],
        evidence: 'not_asked',
        from: '`unknown` on `/verify` and `/settle`, where an earlier request may have settled the payment; other routes move nothing',
        test: truth('too many requests: the outcome of this one is unknown'),
      },
      {
        at: ['REQUEST_ERRORS.not_found', 'REQUEST_ERRORS.settlement_not_found'],
        state: ['none', 'unknown'],
        evidence: 'not_asked',
        from: 'no such path; `GET /settlements` of an unknown settlement answers from the ledger, or says that it does not know',
        test: truth('an unknown hash is 404, a malformed one 400'),
      },
    ],
  },
  {
    file: 'src/protocol/errors/payloadErrors.ts',
    rows: [{ at: 'PAYLOAD_ERRORS', state: 'each', from: LOOKED_UP, test: TABLE, finding: 'M3' }],
  },
  {
    file: 'src/protocol/errors/simulationErrors.ts',
    rows: [
      {
        at: 'SIMULATION_ERRORS.authorization_replayed',
        state: 'each',
        from: 'the fate of the first presentation, from the journal or the ledger',
        test: truth(
          'after delivery the identical request is refused as a replay, with hash and moneyMoved yes',
        ),
      },
      {
        at: [
          'SIMULATION_ERRORS.simulation_failed',
          'SIMULATION_ERRORS.insufficient_funds',
          'SIMULATION_ERRORS.spending_policy_refused',
          'SIMULATION_ERRORS.signature_invalid',
          'SIMULATION_ERRORS.signature_expired',
          'SIMULATION_ERRORS.missing_trustline_recipient',
          'SIMULATION_ERRORS.restore_required',
          'SIMULATION_ERRORS.fee_below_minimum',
          'SIMULATION_ERRORS.fee_exceeds_maximum',
          'SIMULATION_ERRORS.event_not_transfer',
          'SIMULATION_ERRORS.event_missing_contract',
          'SIMULATION_ERRORS.event_wrong_asset',
          'SIMULATION_ERRORS.event_malformed',
          'SIMULATION_ERRORS.no_transfer_events',
          'SIMULATION_ERRORS.multiple_transfers',
          'SIMULATION_ERRORS.event_wrong_from',
          'SIMULATION_ERRORS.event_wrong_to',
          'SIMULATION_ERRORS.event_wrong_amount',
        ],
        state: 'each',
        from: LOOKED_UP,
        test: TABLE,
      },
    ],
  },
  {
    file: 'src/protocol/errors/authorizationErrors.ts',
    rows: [
      {
        at: [
          'AUTHORIZATION_ERRORS.no_auth_entries',
          'AUTHORIZATION_ERRORS.unsupported_credential_type',
          'AUTHORIZATION_ERRORS.facilitator_in_auth',
          'AUTHORIZATION_ERRORS.signature_expiration_too_far',
          'AUTHORIZATION_ERRORS.has_subinvocations',
          'AUTHORIZATION_ERRORS.missing_payer_signature',
          'AUTHORIZATION_ERRORS.unexpected_pending_signatures',
          'AUTHORIZATION_ERRORS.unexpected_authorization',
          'AUTHORIZATION_ERRORS.payment_identifier_conflict',
          'AUTHORIZATION_ERRORS.payment_identifier_required',
        ],
        state: 'each',
        from: LOOKED_UP,
        test: TABLE,
      },
      {
        at: [
          'AUTHORIZATION_ERRORS.ledger_unavailable',
          'AUTHORIZATION_ERRORS.unexpected_verify_error',
          'AUTHORIZATION_ERRORS.ledger_limited',
        ],
        state: 'unknown',
        evidence: ['unreadable', 'not_asked'],
        from: 'neither the ledger nor the journal answered, so an earlier request may have settled the payment',
        test: [
          'test/facilitator/outcomes.test.ts',
          '/verify reports it with 503, in the form of an invalid payment',
        ],
      },
    ],
  },
  {
    file: 'src/protocol/errors/settleErrors.ts',
    rows: [
      {
        at: [
          'SETTLE_ERRORS.submission_failed',
          'SETTLE_ERRORS.channels_busy',
          'SETTLE_ERRORS.ledger_too_slow',
        ],
        state: 'open',
        from: 'this request submitted nothing and will not; the authorization stays valid until its last ledger',
        test: settling(
          'submission_failed: no server could be reached, and the payment may be presented again',
        ),
      },
      {
        at: 'SETTLE_ERRORS.transaction_failed',
        state: 'each',
        from: 'this transaction failed; the authorization is looked up, because another transaction may have carried it',
        test: settling(
          'failed: the hash, what the ledger said, and until when the authorization can still pay',
        ),
      },
      {
        at: 'SETTLE_ERRORS.paid_less',
        state: ['paid', 'unknown'],
        evidence: ['journal', 'unreadable'],
        from: 'the events of the included transaction, beside the amount of the payment',
        test: [
          'test/sim/arrived.test.ts',
          'is refused if less arrived: moneyMoved is “yes”, with the hash and what arrived',
        ],
        finding: 'W2',
      },
      {
        at: 'SETTLE_ERRORS.network_reset',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the network on which the transaction was submitted no longer exists, so no source shows its outcome',
        test: [
          'test/sim/reset.test.ts',
          'a payment that was submitted to the old one ends undecided, in the words that everything uses',
        ],
      },
      {
        at: 'SETTLE_ERRORS.settlement_pending',
        state: 'unknown',
        evidence: ['unreadable', 'history_too_short'],
        from: 'the transaction was sent, and no evidence of its outcome exists yet',
        test: settling(
          'pending: the hash alone, while the ledger has not decided; then the outcome',
        ),
      },
      {
        at: 'SETTLE_ERRORS.store_unavailable',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'the journal did not answer, so an earlier request may have settled the payment',
        test: truth(
          'no record can be read or written, and the payment settled before: the ledger shows it, on each route',
        ),
      },
      {
        at: [
          'SETTLE_ERRORS.sponsor_balance_low',
          'SETTLE_ERRORS.rate_limited_payto',
          'SETTLE_ERRORS.rate_limited_url',
          'SETTLE_ERRORS.rate_limited_client',
          'SETTLE_ERRORS.api_key_budget_exhausted',
          'SETTLE_ERRORS.spend_ceiling',
          'SETTLE_ERRORS.unbound_pool_exhausted',
          'SETTLE_ERRORS.payer_in_flight',
          'SETTLE_ERRORS.payer_backoff',
        ],
        state: 'each',
        from: 'this request submitted nothing; the authorization is looked up, and is usually open until its last ledger',
        test: [
          'test/facilitator/spendControls.test.ts',
          'a refused payment is not used up: it settles once it is allowed',
        ],
      },
      {
        at: 'SETTLE_ERRORS.unexpected_settle_error',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'an internal error; an earlier request may have settled the payment',
        test: settling(
          'unexpected_settle_error: a fault before sending releases the authorization',
        ),
      },
    ],
  },
  {
    file: 'src/protocol/errors/discoveryErrors.ts',
    rows: [
      {
        at: 'DISCOVERY_ERRORS',
        state: 'none',
        from: 'a request to the catalog carries no payment',
        test: PAGES,
      },
    ],
  },
  {
    file: 'src/protocol/errors/uptoLedgerErrors.ts',
    rows: [
      {
        at: 'UPTO_LEDGER_ERRORS.upto_nonce_used',
        state: 'paid',
        evidence: 'contract_record',
        from: 'the settlement contract has a record of this nonce, with the amount',
        test: [
          'test/upto/settlement.test.ts',
          'another facilitator queries the contract, and reports the settled amount',
        ],
      },
      {
        at: [
          'UPTO_LEDGER_ERRORS.upto_expired',
          'UPTO_LEDGER_ERRORS.upto_expiration_too_far',
          'UPTO_LEDGER_ERRORS.upto_signature_expired',
          'UPTO_LEDGER_ERRORS.upto_simulation_failed',
          'UPTO_LEDGER_ERRORS.upto_insufficient_funds',
          'UPTO_LEDGER_ERRORS.upto_spending_policy_refused',
          'UPTO_LEDGER_ERRORS.upto_signature_invalid',
          'UPTO_LEDGER_ERRORS.upto_missing_trustline_recipient',
          'UPTO_LEDGER_ERRORS.upto_restore_required',
          'UPTO_LEDGER_ERRORS.upto_fee_exceeds_maximum',
          'UPTO_LEDGER_ERRORS.upto_unexpected_event',
          'UPTO_LEDGER_ERRORS.upto_wrong_transfer',
          'UPTO_LEDGER_ERRORS.upto_no_transfer_event',
        ],
        state: 'each',
        from: LOOKED_UP,
        test: TABLE,
      },
    ],
  },
  {
    file: 'src/protocol/errors/uptoPayloadErrors.ts',
    rows: [
      { at: 'UPTO_PAYLOAD_ERRORS', state: 'each', from: LOOKED_UP, test: TABLE, finding: 'M3' },
    ],
  },
  {
    file: 'test/docs/pages/errorPages.ts',
    rows: [
      {
        at: ['MONEY', 'MONEY_OF'],
        says: [
          'No. This payment was not made',
          'Not so far.',
          'Yes. The payment was made',
          'Not the buyer’s.',
          'never settles twice',
          'Not known. An earlier request might have settled',
          'It depends on the first presentation',
        ],
        state: 'each',
        from: 'the value in the table of the code',
        test: PAGES,
      },
      {
        at: ['NO_PAYMENT', 'gatewayFailure.money'],
        says: [
          'No. This request moves no money.',
          'No payment. The sponsor might have paid a network fee.',
        ],
        state: 'none',
        from: 'requests to the catalog and the policy gateway carry no payment',
        test: PAGES,
      },
      {
        at: 'allFailures.money',
        state: 'paid',
        evidence: 'journal',
        from: 'the catalog is notified of settled payments only',
        test: PAGES,
      },
      {
        at: ['page.parts', 'indexPage'],
        says: ['Was money moved?', 'whether money moved'],
        about: 'headings of the pages',
      },
    ],
  },
  {
    file: 'test/docs/pages/errorNotes.ts',
    rows: [
      {
        at: 'NOTES',
        says: [
          'The identical request returns the outcome of the first',
          'reports the outcome of the first presentation',
        ],
        state: 'each',
        from: 'the fate of the first presentation, from the journal or the ledger',
        test: truth(
          'after delivery the identical request is refused as a replay, with hash and moneyMoved yes',
        ),
      },
      {
        at: 'NOTES.upto_nonce_used',
        state: 'open',
        from: 'the signed entry is valid until its last ledger, for anyone who holds it',
        test: ['test/upto/settlement.test.ts', 'a payer that uses up the nonce first is detected'],
      },
      { at: 'NOTES.sponsor_balance_low', about: 'fees of the sponsor' },
    ],
  },
  {
    file: 'test/docs/pages/catalogReasons.ts',
    rows: [{ says: 'the first whose payment settled owns it', about: 'who owns a listing' }],
  },
  {
    file: 'test/docs/pages/clientFailures.ts',
    rows: [
      {
        at: ['UNSIGNED', 'PAYING.cannot_pay', 'POLICIES.policy_mismatch'],
        says: ['Nothing was signed', 'Nothing was sent to the seller'],
        state: 'void',
        evidence: 'never_valid',
        from: 'the SDK reports it before a signature leaves the program',
        test: [
          'test/sdk/everyError.test.ts',
          'MaxAmountExceededError: the price is above maxAmount; nothing is signed',
        ],
      },
      {
        at: 'PAYING.payment_rejected',
        says: ['Read `moneyMoved` of the error', 'before paying again'],
        state: ['open', 'void', 'unknown'],
        evidence: ['unused_at_expiration', 'searched', 'unreadable'],
        from: 'the SDK reads the authorization from the ledger after the refusal',
        test: [
          'test/sdk/moneyMoved.test.ts',
          'a seller that keeps the payment is reported as not paid yet until it expires',
        ],
      },
      {
        at: 'PAYING.settled_without_resource',
        says: [
          'The payment settled but the seller did not return the resource',
          '**Yes** if the ledger shows it.',
          'Do not pay again.',
        ],
        state: ['paid', 'open', 'unknown'],
        evidence: ['nonce', 'movement', 'unreadable'],
        from: 'the ledger, or the seller alone, as the next sentence says',
        test: [
          'test/sdk/neverTwice.test.ts',
          'settled, according to the seller, but the resource failed: an error with the hash',
        ],
      },
      {
        at: 'PAYING.outcome_unknown',
        says: ['Read `moneyMoved` of the error: `not_yet`', 'before paying again'],
        state: ['open', 'void', 'unknown'],
        evidence: ['unused_at_expiration', 'searched', 'unreadable'],
        from: 'the SDK reads the authorization from the ledger after the lost response',
        test: ['test/sdk/moneyMoved.test.ts', 'an unreachable RPC server leaves it unknown'],
      },
    ],
  },
];
