import { explainRefusal } from '../../protocol/smartAccount/index.ts';
import { CannotPayError, type CannotPayReason } from './errors.ts';

/** Error numbers of an asset's own contract (soroban-env-host: `ContractError`). */
const BALANCE_ERROR = /Error\(Contract, #10\)/;
const TRUSTLINE_MISSING = /Error\(Contract, #13\)/;
const AUTH_ERROR = /Error\(Auth, |Error\(Contract, #110\)/;

const MESSAGES: Readonly<Record<CannotPayReason, string>> = {
  insufficient_balance: 'The payer does not hold enough of the asset.',
  trustline_missing: 'The payer or the recipient has no trustline to the asset.',
  policy_refused: "The account's own rules refuse the payment, such as a spending limit.",
  fee_above_ceiling: "The network fee is above the ceiling of the seller's facilitator.",
  restore_required: 'Something that the payment needs is archived and has to be restored first.',
  simulation_failed: 'The network would not execute the payment.',
};

/** Explains why a simulation failed. @param error the network's message */
export function explainSimulation(error: string): CannotPayError {
  const reason = reasonOf(error);
  const refusal = reason === 'policy_refused' ? explainRefusal(error) : undefined;
  const detail = refusal?.message ?? (error.split('\n', 1)[0] ?? '').slice(0, 200);
  return new CannotPayError(reason, MESSAGES[reason], detail, refusal);
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
