import type { ErrorCode } from '../../../src/protocol/index.ts';

/** What helps beyond the one sentence of the table, for failures that people meet often. */
export const NOTES: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_trustline_recipient:
    'The recipient signs one `changeTrust` for the asset. In the editor, "Svc: How to add a USDC trustline" shows how; [`examples/paid-api/account.mjs`](../../examples/paid-api/account.mjs) does it in code.',
  insufficient_funds:
    'On the embedded network friendbot gives XLM, and the market maker sells USDC: [agents.md](../agents.md#the-published-client).',
  simulation_failed:
    'The host’s own words are in the message. `Error(Contract, #n)` is a contract’s number: [contracts.md](../contracts.md#numbers-of-errors).',
  spending_policy_refused:
    'What the numbers `#1` and `#110` mean, and how windows begin and end, is in [policies.md](../policies.md#what-a-refusal-looks-like).',
  signature_expired:
    'Ledgers close as soon as a transaction waits on the embedded network, so they pass faster there than five seconds each when many pay.',
  signature_expiration_too_far:
    'The bound is `maxTimeoutSeconds` at five seconds a ledger, plus `EXPIRY_TOLERANCE_LEDGERS` of the facilitator ([why](../decisions/0077-an-authorization-may-outlive-maxtimeoutseconds-by-six-ledgers.md)).',
  unsupported_credential_type:
    'It happens when the transaction was simulated with the payer as its source: the authorization then rides on the envelope’s signature, which the facilitator does not submit.',
  fee_exceeds_maximum:
    'A payment from the smart account of this project under a limit bids less than 50,000 stroops; `GET /supported` returns the ceiling as `extra.maxTransactionFeeStroops`.',
  settlement_pending:
    'The identical request returns the outcome of the first and never submits a second. `@x402/core` from 2.24 on does that by itself.',
  submission_failed: 'The facilitator has tried twice, six seconds apart, before it answers so.',
  transaction_failed:
    '`getTransaction` of Stellar RPC, or `/transactions/<hash>` of Horizon, has the result. A frequent cause is a balance that was spent between verification and settlement.',
  authorization_replayed:
    '`extra.moneyMoved` says what became of the first presentation: `yes` (the buyer has paid; `transaction` is the hash), `fees` (it failed on the ledger), `unknown` (it is under way: send the identical request again). A request with the `payment-identifier` extension gets the same answer each time instead of this refusal.',
  sponsor_balance_low:
    'The floor is `SPONSOR_FLOOR_XLM`; fees of what is in flight count as spent.',
  rate_limited:
    'The limit is `RATE_LIMIT_PER_MINUTE`, 60 by default, for each client address. `svc-x402 dev` has none for this machine.',
  body_too_large:
    'The limit is 32 KiB. The largest part is usually `extensions.bazaar`, which the buyer echoes.',
  upto_nonce_used:
    'Anyone who holds the signed entry can settle it, also with zero: [upto.md](../upto.md#what-the-payer-should-know).',
  no_verdict_source_configured:
    'The code of the specification is `verified_only_unavailable`. It is answered on every deployment.',
};
