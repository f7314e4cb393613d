import type {
  SmartAccountErrors,
  SpendingLimitErrors,
  VerifiedOnlyErrors,
} from '../bindings/index.ts';

/**
 * Messages for the contracts' error numbers. The numbers are disjoint across contracts, and the types
 * of the bindings require a message for each.
 */
const POLICY_ERRORS: Readonly<
  Record<keyof SpendingLimitErrors | keyof VerifiedOnlyErrors, string> & Record<number, string>
> = {
  1: 'the spending limit of the signing key does not allow it: the amount exceeds what is left in this window, or the call is not a payment',
  2: "the payment exceeds the maximum per payment of the signing key's spending limit",
  3: "the recipient is not on the signing key's list of allowed recipients",
  4: 'the spending limit was created with invalid limits, window or addresses',
  5: 'the spending limit was created for another account',
  6: 'the release does not match the reservation',
  7: "the signing key's spending limit allows no more payments in this window",
  8: 'the limits have changed since this change was prepared',
  11: 'the recipient is not a contract that is currently attested as verified',
  12: 'the verified-only policy does not recognize the call as a payment',
  15: 'the verified-only policy was created for another account',
};

const ACCOUNT_ERRORS: Readonly<Record<keyof SmartAccountErrors, string> & Record<number, string>> =
  {
    100: 'the key that signed is not a signer of the account',
    101: 'the account already has this signer',
    102: 'the signer has expired',
    103: 'the account would be left without a lasting owner',
    104: 'the account would be left without a lasting key',
    105: 'the account has reached its maximum number of policies',
    106: 'a grant lists more approvers than the account allows',
    107: 'a grant lists its own key as a required co-signer',
    110: 'no signer is allowed to do this, or a policy refused',
    111: "the signature's kind differs from the signer's",
    112: 'a limited key signed more calls at once than allowed',
    120: 'the client data of the passkey is too large',
    121: 'the client data of the passkey is malformed',
    122: 'the passkey signed a different challenge',
    123: 'the passkey signed for another purpose',
    124: 'the authenticator data of the passkey is too short',
    125: 'nobody was present at the authenticator',
    126: 'the authenticator data of the passkey is too large',
  };

/** Why a smart account refused to authorize. */
export interface AccountRefusal {
  /** The account's error number, 100 to 126. */
  readonly account: number;
  /** The policy's error number, if a policy refused. */
  readonly policy: number | undefined;
  /** The contract of that policy (`C…`); `undefined` if the report does not name it. */
  readonly policyContract: string | undefined;
  /** The meaning of both numbers. */
  readonly message: string;
}

/** Matches the host's report that a call failed with its contract's own error. */
const CONTRACT_ERROR = /Error\(Contract, #(\d+)\)/g;
/** Matches a line of the report that says a contract failed with an error. */
const ERROR_OF = /contract:(C[A-Z2-7]{55}), topics:\[error, Error\(Contract, #(\d+)\)\]/g;

/** Returns the contract that failed first. The report lists the newest event first, and callers pass the error up. */
function originOf(report: string, number: number): string | undefined {
  const named = [...report.matchAll(ERROR_OF)].filter(([, , digits]) => Number(digits) === number);
  return named.at(-1)?.[1];
}

/**
 * Finds the reason for a smart account's refusal in the host's report of a failed simulation: the policy's error and the
 * account's error that wraps it (spec: Authentication, `Error(Contract, #1)` wrapped as `#110`).
 * @param report the whole text; its first line only shows that authorization failed
 * @returns `undefined` if the report does not contain an error of the account
 * @example
 * ```ts
 * import { explainRefusal } from 'svc-x402-sdk';
 *
 * const report = 'HostError: Error(Contract, #110) … Error(Contract, #2)'; // of a failed simulation
 * const refusal = explainRefusal(report);
 * console.log(refusal?.account, refusal?.policy); // 110 2
 * console.log(refusal?.message); // the payment exceeds the maximum per payment of the signing key's spending limit …
 * ```
 */
export function explainRefusal(report: string): AccountRefusal | undefined {
  const numbers = [...report.matchAll(CONTRACT_ERROR)].map(([, digits]) => Number(digits));
  const account = numbers.find((number) => number in ACCOUNT_ERRORS);
  if (account === undefined) return undefined;
  const policy = account === 110 ? numbers.find((number) => number in POLICY_ERRORS) : undefined;
  const wrapped = `${ACCOUNT_ERRORS[account]} (#${account})`;
  const message =
    policy === undefined
      ? wrapped
      : `${POLICY_ERRORS[policy]} (#${policy}, wrapped as #${account})`;
  const policyContract = policy === undefined ? undefined : originOf(report, policy);
  return { account, policy, policyContract, message };
}
