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
    'The seller asks more than `maxAmount`, or more than is left of `sessionCeiling`.',
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
    'No option has the scheme and network that can be paid, with its fees sponsored. `because` says which.',
    UNSIGNED,
    'The seller has to offer `exact` on `stellar:testnet` through a facilitator that sponsors fees.',
  ],
  invalid_requirements: [
    'InvalidRequirementsError',
    'What the seller asks is malformed, for example an amount that is not an integer.',
    UNSIGNED,
    'Only the seller can fix it.',
  ],
  payment_rejected: [
    'PaymentRejectedError',
    'The facilitator refused the payment. `reason` has its name for it.',
    'Read `moneyMoved` of the error: `no` only where the ledger shows that it can never settle, else `unknown`.',
    'Read `reason` on its page, and ask `lookUpPayment(error.payment, { rpcUrl })`, before paying again.',
  ],
  not_configured: [
    'X402NotConfiguredError',
    'A payment was asked of a wallet that is not configured for x402, or `rpcUrl` cannot be used.',
    UNSIGNED,
    'Give the `x402` options with an `rpcUrl`.',
  ],
  cannot_pay: [
    'CannotPayError',
    "The network's simulation of the transfer failed. `reason` is `insufficient_balance`, `trustline_missing`, `policy_refused`, `signature_refused`, `restore_required`, `fee_above_ceiling` or `simulation_failed`; `detail` has the network's words.",
    'No. Nothing was sent to the seller.',
    'Fund the payer, open a trustline, wait for the policy’s next window, sign with the account’s key, or restore the entries, as `reason` says.',
  ],
  settled_without_resource: [
    'SettledWithoutResourceError',
    'The payment settled and the seller did not give the resource. `transaction` is its hash, `status` what came instead.',
    '**Yes** where the ledger shows it; not known where only the seller says so.',
    'Do not pay again. Show the hash to the seller.',
  ],
  outcome_unknown: [
    'PaymentOutcomeUnknownError',
    'The paid request got no answer that shows the outcome of the payment.',
    'Not known. It can settle until the ledger `expirationLedger`.',
    'Ask `lookUpPayment(error.payment, { rpcUrl })` before paying again: from `expirationLedger` on it answers yes or no.',
  ],
  rpc_failed: [
    'RpcFailedError',
    'The Stellar RPC is unreachable, or did not answer as one.',
    UNSIGNED,
    'Look at `rpcUrl`, then try again.',
  ],
};

const POLICIES: Readonly<Record<PolicyClientErrorCode, Row>> = {
  not_configured: [
    'PoliciesNotConfiguredError',
    'Policies were used without `apiUrl`, or `deploy` without `policyAttach`.',
    UNSIGNED,
    'Give the wallet what the message names.',
  ],
  gateway: [
    'GatewayError',
    'The policy gateway refused, or cannot be reached. `reason` is its code, or `unreachable`.',
    'No payment. A deployment may have begun; asking again continues it.',
    'Read `reason` on its page; `problems` lists what is wrong with a definition.',
  ],
  attach_not_recorded: [
    'AttachNotRecordedError',
    'The policy is attached, and the gateway did not record it.',
    'No payment. The attach is on the ledger.',
    'Record it again with `createPolicyClient(…).record(id, attachTxHash)`: deploying again would prompt again.',
  ],
  policy_mismatch: [
    'PolicyMismatchError',
    'By what the ledger says of it, the contract is not the policy that was asked for. `difference` says why.',
    'No. Nothing was signed.',
    'Do not attach it. The gateway is wrong, or lies.',
  ],
  change_not_seen: [
    'ChangeNotSeenError',
    "A change of the wallet's signers was submitted, and the ledger does not show it.",
    'No payment.',
    'Look the transaction up by its hash before you try again.',
  ],
};

const FINDING: Readonly<Record<CatalogErrorCode, readonly [happened: string, todo: string]>> = {
  service_unreachable: [
    'Nothing answers at the address of the catalog.',
    'Start the service (`svc-x402 dev`), or set `FACILITATOR_URL`.',
  ],
  verified_only_unavailable: [
    '`verified_only: true` was asked, and no service gives verdicts.',
    'Leave it out and read `trust.ownerVerified` of the entries.',
  ],
  invalid_request: [
    'The service refused the parameters; the sentence has its reason.',
    'Fix the parameter that the message names.',
  ],
  rate_limited: ['More requests a minute than the service allows.', 'Wait, then ask again.'],
  bad_answer: [
    'The server is not a catalog, or failed.',
    'Look at `FACILITATOR_URL` and at the log of the service.',
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
