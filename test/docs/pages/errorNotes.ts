import type { ErrorCode } from '../../../src/protocol/index.ts';

/** What helps beyond the one sentence of the table, for failures that people meet often. */
export const NOTES: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_trustline_recipient:
    'The recipient signs one `changeTrust` for the asset. In the editor, "Svc: How to add a USDC trustline" shows how; [`examples/paid-api/account.mjs`](../../examples/paid-api/account.mjs) does it in code.',
  insufficient_funds:
    'On the embedded network friendbot gives XLM, and the market maker sells USDC: [agents.md](../agents.md#the-published-client).',
  simulation_failed:
    'The message has the host’s own text. `Error(Contract, #n)` is a contract’s number: [contracts.md](../contracts.md#error-numbers).',
  spending_policy_refused:
    'What the numbers `#1` and `#110` mean, and how windows begin and end, is in [policies.md](../policies.md#what-a-refusal-looks-like).',
  signature_expired:
    'On the embedded network ledgers close as soon as a transaction waits, so they pass faster than one every five seconds when many buyers pay.',
  signature_expiration_too_far:
    'The bound is `maxTimeoutSeconds` at five seconds a ledger, plus the facilitator’s `EXPIRY_TOLERANCE_LEDGERS` ([why](../decisions/0077-an-authorization-may-outlive-maxtimeoutseconds-by-six-ledgers.md)).',
  unsupported_credential_type:
    'It happens if the transaction was simulated with the payer as its source: the authorization then depends on the envelope’s signature, which the facilitator does not submit.',
  fee_exceeds_maximum:
    'A payment from this project’s smart account under a limit bids less than 50,000 stroops; `GET /supported` returns the ceiling as `extra.maxTransactionFeeStroops`.',
  settlement_pending:
    'The identical request returns the outcome of the first and never submits a second. `@x402/core` from 2.24 on does that by itself.',
  submission_failed: 'Before it returns this, the facilitator tries twice, six seconds apart.',
  transaction_failed:
    '`getTransaction` of Stellar RPC, or `/transactions/<hash>` of Horizon, has the result. A frequent cause is a balance that was spent between verification and settlement.',
  authorization_replayed:
    '`extra.moneyMoved` reports the outcome of the first presentation: `yes` (the buyer has paid; `transaction` is the hash), `fees` (it failed on the ledger), `unknown` (it is in flight: send the identical request again). If the seller declares payment identifiers in its terms, the identical request gets the same answer each time instead of this refusal.',
  sponsor_balance_low:
    'The floor is `SPONSOR_FLOOR_XLM`; fees of settlements in flight count as spent.',
  rate_limited:
    'The limit is `RATE_LIMIT_PER_MINUTE`, 60 by default, for each client address. `svc-x402 dev` has none for this machine.',
  body_too_large:
    'The limit is 32 KiB. The largest part is usually `extensions.bazaar`, which the buyer echoes.',
  upto_nonce_used:
    'Anyone who holds the signed entry can settle it, even with zero: [upto.md](../upto.md#what-the-payer-should-know).',
  no_verdict_source_configured:
    'The specification’s code is `verified_only_unavailable`. Every deployment returns it.',
};
