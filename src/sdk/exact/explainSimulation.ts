import { explainRefusal } from '../../protocol/smartAccount/index.ts';
import { CannotPayError, type CannotPayReason } from './errors.ts';

/** Error numbers of an asset's own contract (soroban-env-host: `ContractError`). */
const BALANCE_ERROR = /Error\(Contract, #10\)/;
const TRUSTLINE_MISSING = /Error\(Contract, #13\)/;
/** The host's error for a signature that does not match the key (soroban-env-host: `ed25519_verify`). */
const BAD_SIGNATURE = /Error\(Crypto, InvalidInput\)/;
const AUTH_ERROR = /Error\(Auth, |Error\(Contract, #110\)/;

const NOT_ITS_KEY =
  'The account does not accept the signature. Check which key or wallet account signs.';
/** The account's error number for a call that no rule of its signers allows. */
const NO_RULE_ALLOWS = 110;

const MESSAGES: Readonly<Record<CannotPayReason, string>> = {
  insufficient_balance: 'The payer does not hold enough of the asset.',
  trustline_missing: 'The payer or the recipient has no trustline to the asset.',
  policy_refused: "The account's own rules refuse the payment, such as a spending limit.",
  signature_refused: NOT_ITS_KEY,
  fee_above_ceiling: "The network fee is above the ceiling of the seller's facilitator.",
  restore_required: 'The payment needs archived entries, which must be restored first.',
  simulation_failed: 'The network would not execute the payment.',
};

/** Explains why a simulation failed. @param error the network's message */
export function explainSimulation(error: string): CannotPayError {
  const reason = reasonOf(error);
  const detail = (error.split('\n', 1)[0] ?? '').slice(0, 200);
  if (reason !== 'policy_refused') return new CannotPayError(reason, MESSAGES[reason], detail);
  const refusal = explainRefusal(error);
  if (refusal === undefined) {
    // Classic accounts have no rules of their own. Other contracts can have rules, with other error numbers.
    const why = BAD_SIGNATURE.test(error) ? 'signature_refused' : reason;
    return new CannotPayError(why, MESSAGES[why], detail);
  }
  const message = refusal.account === NO_RULE_ALLOWS ? MESSAGES[reason] : NOT_ITS_KEY;
  return new CannotPayError(reason, message, refusal.message, refusal);
}

/** Returns the error for a payment that needs archived entries. */
export function restoreRequired(): CannotPayError {
  return new CannotPayError('restore_required', MESSAGES.restore_required, '');
}

function reasonOf(error: string): CannotPayReason {
  const [first = ''] = error.split('\n', 1);
  if (BALANCE_ERROR.test(first)) return 'insufficient_balance';
  if (TRUSTLINE_MISSING.test(first)) return 'trustline_missing';
  return AUTH_ERROR.test(first) ? 'policy_refused' : 'simulation_failed';
}
