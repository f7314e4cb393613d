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
  1: 'the spending limit of the signing key does not allow it: it is over what is left in this window, or no payment',
  2: 'the payment is more than the spending limit of the signing key allows at once',
  3: 'the recipient is not on the list of those whom the signing key may pay',
  4: 'the spending limit was made with limits, a window or addresses that make no sense',
  5: 'the spending limit was made for another account',
  6: 'the release is not of what was reserved',
  7: 'there have been as many payments in this window as the spending limit of the signing key allows',
  8: 'the limits have changed since this change of them was made',
  11: 'the recipient is not a contract that is attested as verified now',
  12: 'the verified-only policy does not recognize the call as a payment',
  15: 'the verified-only policy was made for another account',
};

const ACCOUNT_ERRORS: Readonly<Record<keyof SmartAccountErrors, string> & Record<number, string>> =
  {
    100: 'the key that signed is not a signer of the account',
    101: 'the account has this signer already',
    102: 'the signer has expired',
    103: 'the account would be left without a lasting owner',
    104: 'the account would be left without a lasting key',
    105: 'the account has as many policies as it can have',
    106: 'a grant lists more who must agree than are asked',
    107: 'a grant names its own key among those who must sign too',
    110: 'no signer may do this, or a policy refused',
    111: 'the signature is of another kind than the signer',
    112: 'a limited key signed more calls at once than it may',
    120: 'the client data of the passkey is too large',
    121: 'the client data of the passkey is not as clients write it',
    122: 'the passkey signed something else',
    123: 'the passkey signed for another purpose',
    124: 'the authenticator data of the passkey is too short',
    125: 'nobody was present at the authenticator',
    126: 'the authenticator data of the passkey is too large',
  };

/** Why a smart account refused. */
export interface AccountRefusal {
  /** The account's number, 100 to 126. */
  readonly account: number;
  /** The policy's number behind it, if a policy refused. */
  readonly policy: number | undefined;
  /** The contract of that policy (`C…`); `undefined` if the report does not name it. */
  readonly policyContract: string | undefined;
  /** The meaning of both numbers. */
  readonly message: string;
}

/** Matches the host's report that a call failed with its contract's own error. */
const CONTRACT_ERROR = /Error\(Contract, #(\d+)\)/g;
/** Matches a line of the report in which a contract ends with an error. */
const ERROR_OF = /contract:(C[A-Z2-7]{55}), topics:\[error, Error\(Contract, #(\d+)\)\]/g;

/** Returns the contract that failed first: the report lists the newest event first, and callers pass the error on. */
function originOf(report: string, number: number): string | undefined {
  const named = [...report.matchAll(ERROR_OF)].filter(([, , digits]) => Number(digits) === number);
  return named.at(-1)?.[1];
}

/**
 * Finds in the host's report of a failed simulation why a smart account refused: the policy's error
 * and the account's error around it (spec: Authentication, `Error(Contract, #1)` wrapped as `#110`).
 * @param report the whole text; its first line only shows that authorization failed
 * @returns `undefined` if the report does not contain an error of the account
 * @example
 * ```ts
 * import { explainRefusal } from 'svc-x402-sdk';
 *
 * const report = 'HostError: Error(Contract, #110) … Error(Contract, #2)'; // of a failed simulation
 * const refusal = explainRefusal(report);
 * console.log(refusal?.account, refusal?.policy); // 110 2
 * console.log(refusal?.message); // the payment is more than the spending limit of the signing key allows at once …
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
