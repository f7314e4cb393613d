import { type ContractAddress, parseDecimalAmount } from '../../protocol/index.ts';
import {
  limitOf,
  type PolicyDefinition,
  type SpendingLimitDefinition,
  WINDOW_SECONDS,
} from '../../protocol/policies/index.ts';
import type { SorobanRpc } from '../exact/index.ts';
import { PolicyMismatchError } from './errors.ts';
import {
  decimal,
  decimalsOf,
  type LedgerPolicy,
  type LedgerSpendingLimit,
  readPolicy,
} from './readPolicy.ts';

/**
 * Reads a policy from the ledger and compares it with the definition that it was generated from, so that
 * nobody has to trust a gateway. Call it before you attach a policy.
 * @throws PolicyMismatchError with the difference, RpcFailedError
 */
export async function verifyPolicy(
  contract: ContractAddress,
  definition: PolicyDefinition,
  rpc: SorobanRpc,
): Promise<LedgerPolicy> {
  const policy = await readPolicy(contract, rpc);
  const same: Same = (what, found, asked) => {
    if (found !== asked) {
      const since = policy.type === 'spending_limit' && (policy.revision ?? 0) > 0;
      const changed = since ? ': its owner has changed the limits since it was created' : '';
      const difference = `${what} is ${found ?? 'none'}, not ${asked ?? 'none'}`;
      throw new PolicyMismatchError(contract, `${difference}${changed}`);
    }
  };
  same('it', policy.type, definition.type);
  same('its wallet', policy.wallet, definition.owners[0]);
  if (policy.type === 'verified_only') {
    same('its registry', policy.registry, 'registry' in definition ? definition.registry : '');
  } else if (definition.type === 'spending_limit') {
    await compareLimits(policy, definition, same, rpc);
  }
  return policy;
}

/** Throws if a value differs from the requested one; `undefined` means that there is none. */
type Same = (what: string, found: string | undefined, asked: string | undefined) => void;

async function compareLimits(
  policy: LedgerSpendingLimit,
  definition: SpendingLimitDefinition,
  same: Same,
  rpc: SorobanRpc,
): Promise<void> {
  const limit = limitOf(definition);
  same('its asset', policy.asset, limit?.asset);
  const decimals = await decimalsOf(policy.asset as ContractAddress, rpc);
  const words = (amount: bigint | undefined) =>
    amount === undefined ? undefined : decimal(amount, decimals);
  // An amount can be written in several ways: `0.5` and `0.50`. A malformed text is not an amount.
  const asked = (text: string | undefined) => {
    const amount = text === undefined ? undefined : parseDecimalAmount(text, decimals);
    return amount === undefined ? text : words(amount);
  };
  same('its limit', words(policy.limit), asked(limit?.amount));
  const window = limit === undefined ? undefined : `${WINDOW_SECONDS[limit.member]}`;
  same('its window in seconds', `${policy.window}`, window);
  const kind = (slides: boolean | undefined) => (slides ? 'sliding' : 'fixed');
  same('its window', kind(policy.sliding), kind(definition.sliding));
  const count = (payments: number | undefined) => payments?.toString();
  same('its number of payments', count(policy.maxPayments), count(definition.maxPayments));
  same('its maximum per payment', words(policy.perPayment), asked(definition.perPayment));
  same('its list of recipients', policy.recipients?.join(', '), definition.recipients?.join(', '));
}
