import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERROR_TABLE, type ErrorCode, publicCode } from './errorTable.ts';

const rows = Object.entries(ERROR_TABLE) as [ErrorCode, (typeof ERROR_TABLE)[ErrorCode]][];

/** The errors of the specification's section Errors that verification and settlement can meet on this network. */
const SPECIFIED = [
  'settle_exact_stellar_transaction_submission_failed',
  'settle_exact_stellar_transaction_failed',
  'settlement_refused',
  'invalid_exact_stellar_payload_authorization_replayed',
  'invalid_exact_stellar_payload_missing_trustline_recipient',
  'invalid_exact_stellar_payload_unsupported_credential_type',
  'fee_exceeds_maximum',
  'invalid_upto_stellar_hook_not_supported',
  'verified_only_unavailable',
];

/** Every reason that the canonical facilitator class can return for a verification, in its order. */
const CANONICAL = [
  'invalid_x402_version',
  'unsupported_scheme',
  'network_mismatch',
  'invalid_network',
  'invalid_exact_stellar_payload_malformed',
  'invalid_exact_stellar_payload_wrong_operation',
  'invalid_exact_stellar_payload_unsafe_tx_or_op_source',
  'invalid_exact_stellar_payload_wrong_asset',
  'invalid_exact_stellar_payload_wrong_function_name',
  'invalid_exact_stellar_payload_facilitator_is_payer',
  'invalid_exact_stellar_payload_wrong_recipient',
  'invalid_exact_stellar_payload_wrong_amount',
  'invalid_exact_stellar_payload_simulation_failed',
  'invalid_exact_stellar_payload_fee_below_minimum',
  'invalid_exact_stellar_payload_fee_exceeds_maximum',
  'invalid_exact_stellar_payload_event_not_transfer',
  'invalid_exact_stellar_payload_event_missing_contract_id',
  'invalid_exact_stellar_payload_event_wrong_asset',
  'invalid_exact_stellar_payload_no_transfer_events',
  'invalid_exact_stellar_payload_multiple_transfers',
  'invalid_exact_stellar_payload_event_wrong_from',
  'invalid_exact_stellar_payload_event_wrong_to',
  'invalid_exact_stellar_payload_event_wrong_amount',
  'invalid_exact_stellar_payload_no_auth_entries',
  'invalid_exact_stellar_payload_unsupported_credential_type',
  'invalid_exact_stellar_payload_facilitator_in_auth',
  'invalid_exact_stellar_signature_expiration_too_far',
  'invalid_exact_stellar_payload_has_subinvocations',
  'invalid_exact_stellar_payload_missing_payer_signature',
  'invalid_exact_stellar_payload_unexpected_pending_signatures',
  'unexpected_verify_error',
];

describe('The table of failures', () => {
  it('[spec: Facilitator codes/Complete] has every code of the specification that a payment can meet', () => {
    const known = new Set(rows.map(([, row]) => row.specification));
    for (const code of SPECIFIED) assert.ok(known.has(code), code);
  });

  it('has every code of the canonical class, and sends it under its canonical name', () => {
    for (const code of CANONICAL) {
      assert.ok(
        rows.some(([, row]) => row.canonical === code && row.reason === code),
        code,
      );
    }
  });

  it('invents no specification or canonical name', () => {
    for (const [key, { specification, canonical }] of rows) {
      if (specification !== null) assert.ok(SPECIFIED.includes(specification), key);
      const settles = /^(settle_exact_stellar_|unexpected_settle_error)/;
      if (canonical !== null && !settles.test(canonical)) {
        assert.ok(CANONICAL.includes(canonical), key);
      }
    }
  });

  it('says in full sentences what is wrong and what to do', () => {
    for (const [key, { message, fix, reason }] of rows) {
      assert.match(message, /^[A-Zpesv].{10,}[.]$/, key);
      assert.match(fix, /^[A-Z].{10,}[.]$/, key);
      assert.match(reason, /^[a-z0-9_]+$/, key);
    }
  });

  it('[spec: Facilitator codes/Money moved] says that no money moved only where a request carries no authorization that could have paid', () => {
    const moved = rows.filter(([, row]) => row.moneyMoved !== 'no').map(([key]) => key);
    assert.deepEqual(moved.sort(), [
      'api_key_budget_exhausted',
      'authorization_replayed',
      'channels_busy',
      'ledger_limited',
      'ledger_too_slow',
      'ledger_unavailable',
      'network_reset',
      'paid_less',
      'payer_backoff',
      'payer_in_flight',
      'rate_limited_client',
      'rate_limited_payto',
      'rate_limited_url',
      'settlement_not_found',
      'settlement_pending',
      'signature_expired',
      'spend_ceiling',
      'sponsor_balance_low',
      'store_unavailable',
      'submission_failed',
      'transaction_failed',
      'unbound_pool_exhausted',
      'unexpected_settle_error',
      'unexpected_verify_error',
      'upto_expired',
      'upto_nonce_used',
      'upto_signature_expired',
    ]);
  });

  it('[spec: Facilitator codes/HTTP 503] settlement_refused is returned as HTTP 503', () => {
    const refused = rows.filter(([, row]) => row.specification === 'settlement_refused');
    assert.ok(refused.length > 0);
    for (const [, row] of refused) assert.equal(row.status, 503);
  });

  it("uses the specification's name for a failure if it has one, otherwise our own", () => {
    assert.equal(publicCode('fee_exceeds_maximum'), 'fee_exceeds_maximum');
    assert.equal(publicCode('insufficient_funds'), 'insufficient_funds');
    assert.equal(
      publicCode('authorization_replayed'),
      'invalid_exact_stellar_payload_authorization_replayed',
    );
  });
});
