import type { DefinitionProblem } from '../../protocol/policies/index.ts';

export type PolicyClientErrorCode = 'not_configured' | 'gateway' | 'attach_not_recorded';

/** Base of the errors of policies. Tell them apart by `code`. */
export abstract class PolicyClientError extends Error {
  abstract readonly code: PolicyClientErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Something was asked for which the wallet was not given what it takes. */
export class PoliciesNotConfiguredError extends PolicyClientError {
  readonly code = 'not_configured';
}

/** The gateway refused, or cannot be reached. */
export class GatewayError extends PolicyClientError {
  readonly code = 'gateway';
  /** The gateway's own code, such as `wallet_rate_limited`; `unreachable` without an answer. */
  readonly reason: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** What is wrong with a definition, when that is why. */
  readonly problems: readonly DefinitionProblem[];

  constructor(
    reason: string,
    status: number,
    message: string,
    problems: readonly DefinitionProblem[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.reason = reason;
    this.status = status;
    this.problems = problems;
  }
}

/**
 * The policy is attached, and the gateway did not record it. Record it again with what stands here:
 * deploying again would prompt again.
 */
export class AttachNotRecordedError extends PolicyClientError {
  readonly code = 'attach_not_recorded';
  readonly id: string;
  readonly contractId: string;
  readonly attachTxHash: string;

  constructor(id: string, contractId: string, attachTxHash: string, cause: unknown) {
    super(
      `The policy is attached in ${attachTxHash}, but the gateway has not recorded it: record it again.`,
      { cause },
    );
    this.id = id;
    this.contractId = contractId;
    this.attachTxHash = attachTxHash;
  }
}
