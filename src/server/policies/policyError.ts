import type { DefinitionProblem } from '../../protocol/policies/index.ts';

/** Every failure of the policy gateway: status, title, and what to do. One row per code. */
export const POLICY_ERRORS = {
  invalid_json: { status: 400, title: 'The body is not JSON', fix: 'Send a JSON object.' },
  body_too_large: { status: 413, title: 'The body is larger than 32 KiB', fix: 'Send less.' },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    fix: 'Use a method from the `allow` header.',
  },
  invalid_request: { status: 400, title: 'The request is malformed', fix: 'Read the detail.' },
  invalid_definition: {
    status: 422,
    title: 'The definition is not valid',
    fix: 'Fix each of the problems.',
  },
  policy_not_found: { status: 404, title: 'No policy has this id', fix: 'Generate it.' },
  nothing_to_deploy: {
    status: 409,
    title: 'The account itself enforces this policy',
    fix: 'Sign the attachment. Nothing has to be deployed.',
  },
  wallet_not_found: {
    status: 422,
    title: 'The wallet does not exist on the ledger',
    fix: 'Create the wallet first, on this network.',
  },
  proof_required: {
    status: 401,
    title: 'The caller has not proved that it controls the wallet',
    fix: 'Send `proof`: the authorization that docs/policies.md describes, signed by the wallet.',
  },
  proof_invalid: {
    status: 403,
    title: 'The proof of control is not valid',
    fix: 'Sign the described authorization again, for this policy, with an owner of the wallet.',
  },
  wallet_rate_limited: {
    status: 429,
    title: 'The wallet has reached its daily limit of deployments or of keeping them alive',
    fix: 'Wait a day, or attach a policy that is already deployed.',
  },
  gateway_rate_limited: {
    status: 429,
    title: "The caller has reached its share of the gateway's daily deployments",
    fix: 'Wait a day, or run a gateway of your own.',
  },
  not_deployed: {
    status: 409,
    title: 'The policy is not deployed yet',
    fix: 'Deploy its instance first.',
  },
  attach_not_seen: {
    status: 409,
    title: 'The attachment is not on the ledger',
    fix: 'Wait until the transaction is in a ledger, then record it again.',
  },
  attach_mismatch: {
    status: 422,
    title: 'The transaction does not attach this policy to this wallet',
    fix: 'Send the hash of the transaction that called add_signer with this policy.',
  },
  sponsor_balance_low: {
    status: 503,
    title: "The sponsor's balance is too low for a deployment",
    fix: 'Try again later, or run your own gateway.',
  },
  deployment_failed: {
    status: 502,
    title: 'The network did not accept the deployment',
    fix: 'Try again: the deployment continues where it stopped.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    fix: "Try again. The service's log has the cause.",
  },
  ledger_unavailable: {
    status: 503,
    title: 'The ledger does not answer',
    fix: 'Try again later.',
  },
  store_unavailable: {
    status: 503,
    title: "The gateway's store is unavailable",
    fix: 'Try again later.',
  },
} as const satisfies Record<
  string,
  { readonly status: number; readonly title: string; readonly fix: string }
>;

export type PolicyErrorCode = keyof typeof POLICY_ERRORS;

/** A request that the gateway refuses. */
export class PolicyError extends Error {
  readonly code: PolicyErrorCode;
  readonly problems: readonly DefinitionProblem[];

  constructor(
    code: PolicyErrorCode,
    detail: string = POLICY_ERRORS[code].title,
    problems: readonly DefinitionProblem[] = [],
  ) {
    super(detail);
    this.name = 'PolicyError';
    this.code = code;
    this.problems = problems;
  }
}
