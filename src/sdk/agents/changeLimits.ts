import { SPENDING_LIMIT_CHANGE } from '../../protocol/bindings/index.ts';
import type { ContractAddress, StellarAddress } from '../../protocol/index.ts';
import { constructorArguments } from '../../protocol/policies/index.ts';
import {
  ChangeNotSeenError,
  type LedgerPolicy,
  type LedgerSpendingLimit,
  PolicyMismatchError,
  readPolicy,
  signWalletCall,
} from '../policies/index.ts';
import type { ChangeParts } from './changeSigners.ts';

/** A spending limit whose module can change its limits. */
export type ChangeableLimit = LedgerSpendingLimit & { readonly revision: number };

/** Limits in atomic units; a member that is `undefined` sets no limit. */
export type NewLimits = Pick<
  LedgerSpendingLimit,
  'limit' | 'window' | 'sliding' | 'maxPayments' | 'perPayment' | 'recipients'
>;

const LOOKS = 60;
const PAUSE_MS = 1_000;

export function isChangeable(policy: LedgerPolicy | undefined): policy is ChangeableLimit {
  return policy?.type === 'spending_limit' && policy.revision !== undefined;
}

/** Whether a policy on the ledger has these limits. */
export function hasLimits(policy: LedgerSpendingLimit, limits: NewLimits): boolean {
  const words = ({ limit, window, sliding, maxPayments, perPayment, recipients }: NewLimits) =>
    [limit, window, sliding, maxPayments, perPayment, recipients?.join(' ')].map(String).join();
  return words(policy) === words(limits);
}

/**
 * Replaces the limits of a policy with one signature of the owner, and waits until the ledger shows them. The call contains the
 * number of earlier changes, so that a call that was signed earlier and withheld cannot undo it.
 * @returns the hash of the transaction
 * @throws CannotPayError if the ledger would not execute it, ChangeNotSeenError, RpcFailedError
 */
export async function changeLimits(
  policy: ChangeableLimit,
  limits: NewLimits,
  parts: ChangeParts,
): Promise<string> {
  const { limit, window, sliding, maxPayments, perPayment, recipients } = limits;
  const contract = policy.contract as ContractAddress;
  const { revision } = policy;
  const args = constructorArguments(SPENDING_LIMIT_CHANGE, {
    ...{ revision, limit, window, sliding },
    per_payment: perPayment ?? null,
    recipients: (recipients as readonly StellarAddress[] | undefined) ?? null,
    payments: maxPayments ?? null,
  });
  const encoded = args.map((one) => one.encoded);
  const signed = await signWalletCall(contract, 'change_limits', encoded, parts);
  const submitted = await parts.submit(signed);
  const hash = typeof submitted === 'string' ? submitted : submitted.hash;
  for (let look = 0; look < LOOKS; look++) {
    const now = await readPolicy(contract, parts.rpc);
    if (isChangeable(now) && now.revision > revision) {
      if (now.revision === revision + 1 && !hasLimits(now, limits)) {
        throw new PolicyMismatchError(contract, 'it has other limits than those that were signed');
      }
      return hash;
    }
    await parts.sleep(PAUSE_MS);
  }
  throw new ChangeNotSeenError(hash, signed.expirationLedger);
}
