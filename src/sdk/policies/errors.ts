import type { DefinitionProblem } from '../../protocol/policies/index.ts';

export type PolicyClientErrorCode =
  | 'not_configured'
  | 'gateway'
  | 'attach_not_recorded'
  | 'policy_mismatch'
  | 'change_not_seen';

/** Base class of policy errors. Distinguish them by `code`. */
export abstract class PolicyClientError extends Error {
  abstract readonly code: PolicyClientErrorCode;
  /** That of the class, which each class defines explicitly, because a minified bundle does not keep names. */
  override readonly name: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A call needs an option that the wallet does not have. */
export class PoliciesNotConfiguredError extends PolicyClientError {
  static override readonly name = 'PoliciesNotConfiguredError';
  declare readonly name: 'PoliciesNotConfiguredError';
  readonly code = 'not_configured';
}

/** The gateway refused the request, or is unreachable. */
export class GatewayError extends PolicyClientError {
  static override readonly name = 'GatewayError';
  declare readonly name: 'GatewayError';
  readonly code = 'gateway';
  /** The gateway's own code, such as `wallet_rate_limited`; `unreachable` without a response. */
  readonly reason: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The problems with a definition, if they are the reason. */
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
 * The policy is attached, but the gateway did not record it. Record it again with the values of this
 * error: deploying again would prompt again.
 */
export class AttachNotRecordedError extends PolicyClientError {
  static override readonly name = 'AttachNotRecordedError';
  declare readonly name: 'AttachNotRecordedError';
  readonly code = 'attach_not_recorded';
  /** The policy, as the gateway names it. */
  readonly id: string;
  /** The policy's contract (`C…`). */
  readonly contractId: string;
  /** Hash of the transaction that attached it. */
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

/**
 * According to the ledger, a contract is not the requested policy. Nothing was signed. The gateway is wrong
 * or dishonest.
 */
export class PolicyMismatchError extends PolicyClientError {
  static override readonly name = 'PolicyMismatchError';
  declare readonly name: 'PolicyMismatchError';
  readonly code = 'policy_mismatch';
  /** The policy's contract (`C…`). */
  readonly contractId: string;
  /** The difference. */
  readonly difference: string;

  constructor(contractId: string, difference: string) {
    super(`${contractId} is not the requested policy: ${difference}. Nothing was signed.`);
    this.contractId = contractId;
    this.difference = difference;
  }
}

/**
 * A change of the wallet was signed and submitted, but the ledger does not show it. Look it up by its hash. It can still be made
 * until `expirationLedger`: a later change that contradicts it, such as revoking the key that it adds, is final only after that.
 */
export class ChangeNotSeenError extends PolicyClientError {
  static override readonly name = 'ChangeNotSeenError';
  declare readonly name: 'ChangeNotSeenError';
  readonly code = 'change_not_seen';
  /** Hash of the transaction that was submitted. */
  readonly transaction: string;
  /** Last ledger in which the signed call can be executed. */
  readonly expirationLedger: number;

  constructor(transaction: string, expirationLedger: number) {
    super(
      `The ledger does not show the change that was submitted as ${transaction}. It can still be made until ledger ${expirationLedger}.`,
    );
    this.transaction = transaction;
    this.expirationLedger = expirationLedger;
  }
}
