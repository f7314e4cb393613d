import type { CatalogErrorCode } from '../../../src/mcp/catalogError.ts';
import type { X402ErrorCode } from '../../../src/sdk/exact/x402Error.ts';
import type { PolicyClientErrorCode } from '../../../src/sdk/policies/errors.ts';

interface ClientFailure {
  readonly code: string;
  readonly where: string;
  readonly happened: string;
  readonly money: string;
  readonly todo: string;
  readonly rest: string;
}

type Row = readonly [error: string, happened: string, money: string, todo: string];

const UNSIGNED = 'No. Nothing was signed or submitted.';

const PAYING: Readonly<Record<X402ErrorCode, Row>> = {
  max_amount_exceeded: [
    'MaxAmountExceededError',
    'The seller’s price is above `maxAmount`, or above what is left of `sessionCeiling`.',
    UNSIGNED,
    'Raise the limit, or choose another resource.',
  ],
  disallowed_asset: [
    'DisallowedAssetError',
    'None of the offered assets is in `allowedAssets`.',
    UNSIGNED,
    'Widen `allowedAssets`, or choose another resource.',
  ],
  no_usable_payment_option: [
    'NoUsablePaymentOptionError',
    'No payment option has a supported scheme and network and sponsored fees. `because` says what is missing.',
    UNSIGNED,
    'The seller has to offer `exact` on `stellar:testnet` through a facilitator that sponsors the fees.',
  ],
  invalid_requirements: [
    'InvalidRequirementsError',
    'The seller’s payment requirements are malformed, for example with an amount that is not an integer.',
    UNSIGNED,
    'Only the seller can fix it.',
  ],
  payment_rejected: [
    'PaymentRejectedError',
    'The facilitator refused the payment. `reason` is the facilitator’s code.',
    'Read `moneyMoved` of the error: it is `no` only if the ledger shows that the payment can never settle, `not_yet` while it still can (until ledger `fate.until`), otherwise `unknown`.',
    'Look `reason` up on its page, and call `lookUpPayment(error.payment, { rpcUrl })` before paying again.',
  ],
  not_configured: [
    'X402NotConfiguredError',
    'The wallet is not configured for x402 payments, or `rpcUrl` cannot be used.',
    UNSIGNED,
    'Set the `x402` options with an `rpcUrl`.',
  ],
  cannot_pay: [
    'CannotPayError',
    "The network's simulation of the transfer failed. `reason` is `insufficient_balance`, `trustline_missing`, `policy_refused`, `signature_refused`, `restore_required`, `fee_above_ceiling` or `simulation_failed`; `detail` has the network's message.",
    'No. Nothing was sent to the seller.',
    'Fund the payer, open a trustline, wait for the policy’s next window, sign with the account’s key, or restore the entries, as `reason` says.',
  ],
  not_signed: [
    'NotSignedError',
    'The signer threw an error, or the user refused in the wallet. `cause` is the signer’s error.',
    UNSIGNED,
    'Ask the user again, or check the signer.',
  ],
  settled_without_resource: [
    'SettledWithoutResourceError',
    'The payment settled but the seller did not return the resource. `transaction` is the hash, `status` the status of the seller’s response.',
    '**Yes** if the ledger shows it. If only the seller says so, `moneyMoved` is `not_yet` while the payment can settle, otherwise `unknown`.',
    'Do not pay again. Give the seller the hash.',
  ],
  outcome_unknown: [
    'PaymentOutcomeUnknownError',
    'No response to the paid request showed the outcome of the payment.',
    'Read `moneyMoved` of the error: `not_yet` while the payment can settle, until the ledger `expirationLedger`; `no` if it never can; otherwise `unknown`.',
    'Call `lookUpPayment(error.payment, { rpcUrl })` before paying again: from `expirationLedger` on it returns yes or no.',
  ],
  rpc_failed: [
    'RpcFailedError',
    'The Stellar RPC server is unreachable, or did not answer like one.',
    UNSIGNED,
    'Check `rpcUrl`, then try again.',
  ],
};

const POLICIES: Readonly<Record<PolicyClientErrorCode, Row>> = {
  not_configured: [
    'PoliciesNotConfiguredError',
    'Policies were used without `apiUrl`, or `deploy` without `policyAttach`.',
    UNSIGNED,
    'Set the option that the message names.',
  ],
  gateway: [
    'GatewayError',
    'The policy gateway refused the request, or is unreachable. `reason` is its code, or `unreachable`.',
    'No payment. A deployment might have begun; repeating the call continues it.',
    'Look `reason` up on its page; `problems` lists what is wrong with a definition.',
  ],
  attach_not_recorded: [
    'AttachNotRecordedError',
    'The policy is attached, but the gateway did not record it.',
    'No payment. The attach is on the ledger.',
    'Record it again with `createPolicyClient(…).record(id, attachTxHash)`: deploying again would prompt again.',
  ],
  policy_mismatch: [
    'PolicyMismatchError',
    'According to the ledger, the contract is not the requested policy. `difference` says why.',
    'No. Nothing was signed.',
    'Do not attach it. The gateway is wrong, or lies.',
  ],
  change_not_seen: [
    'ChangeNotSeenError',
    "A change of the wallet's signers was submitted, but the ledger does not show it.",
    'No payment.',
    'Look the transaction up by its hash. The signed call can still be executed until the ledger `expirationLedger`: a change that contradicts it is safe after that.',
  ],
};

const FINDING: Readonly<Record<CatalogErrorCode, readonly [happened: string, todo: string]>> = {
  service_unreachable: [
    'Nothing answers at the address of the catalog.',
    'Start the service (`svc-x402 dev`), or set `FACILITATOR_URL`.',
  ],
  verified_only_unavailable: [
    'The request has `verified_only: true`, but no service provides verdicts.',
    'Leave it out and read `trust.ownerVerified` of the entries.',
  ],
  invalid_request: [
    'The service refused the parameters; the message has its reason.',
    'Fix the parameter that the message names.',
  ],
  rate_limited: ['More requests per minute than the service allows.', 'Wait, then try again.'],
  bad_answer: [
    'The server is not a catalog, or it failed.',
    'Check `FACILITATOR_URL` and the service’s log.',
  ],
};

/** The failures of the programs that a buyer or an agent runs. */
export function clientFailures(): readonly ClientFailure[] {
  const sdk = (where: string, rows: Readonly<Record<string, Row>>): ClientFailure[] =>
    Object.entries(rows).map(([code, [error, happened, money, todo]]) => ({
      code,
      where,
      happened,
      money,
      todo,
      rest: `The error is a \`${error}\` of [\`svc-x402/sdk\`](../sdk.md), with \`code: '${code}'\`.\n`,
    }));
  return [
    ...sdk('SDK, paying', PAYING),
    ...sdk('SDK, policies', POLICIES),
    ...Object.entries(FINDING).map(([code, [happened, todo]]) => ({
      code,
      where: 'Discovery tools',
      happened,
      money: 'No. The tools only read.',
      todo,
      rest: `A result with \`isError\`, and \`_meta["svc-x402/error"].code\` is \`${code}\` ([mcp.md](../mcp.md)).\n`,
    })),
  ];
}
