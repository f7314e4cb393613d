import type { ErrorRow } from './errorRow.ts';

/** Failures of a settlement after its payment was found good. */
export const SETTLE_ERRORS = {
  submission_failed: {
    reason: 'settle_exact_stellar_transaction_submission_failed',
    specification: 'settle_exact_stellar_transaction_submission_failed',
    canonical: 'settle_exact_stellar_transaction_submission_failed',
    status: 200,
    moneyMoved: 'no',
    message: 'The ledger did not take the transaction: it was never submitted.',
    fix: 'Sign a fresh payment and retry once.',
  },
  channels_busy: {
    reason: 'settle_exact_stellar_transaction_submission_failed',
    specification: 'settle_exact_stellar_transaction_submission_failed',
    canonical: null,
    status: 200,
    moneyMoved: 'no',
    message: 'All channel accounts were busy for too long: nothing was submitted.',
    fix: 'Sign a fresh payment and retry once.',
  },
  transaction_failed: {
    reason: 'settle_exact_stellar_transaction_failed',
    specification: 'settle_exact_stellar_transaction_failed',
    canonical: 'settle_exact_stellar_transaction_failed',
    status: 200,
    moneyMoved: 'fees',
    message: 'The transaction was submitted and failed on the ledger; only the sponsor paid a fee.',
    fix: 'Read the result of the transaction by its hash; do not retry blindly.',
  },
  settlement_pending: {
    reason: 'settlement_pending',
    specification: null,
    canonical: 'settle_exact_stellar_transaction_failed',
    status: 200,
    moneyMoved: 'unknown',
    message: 'The transaction was submitted and the ledger has not decided it yet.',
    fix: 'Send the identical /settle again, or look the hash up; do not sign a second payment.',
  },
  sponsor_balance_low: {
    reason: 'settlement_refused',
    specification: 'settlement_refused',
    canonical: null,
    status: 503,
    moneyMoved: 'no',
    message: 'The sponsor account is under its floor: the facilitator refuses to settle.',
    fix: 'Wait, or run a facilitator of your own.',
  },
  unexpected_settle_error: {
    reason: 'unexpected_settle_error',
    specification: null,
    canonical: 'unexpected_settle_error',
    status: 500,
    moneyMoved: 'no',
    message: 'Settlement failed in a way the service does not know, before anything was submitted.',
    fix: 'Try again; the log of the service has the cause.',
  },
} as const satisfies Record<string, ErrorRow>;
