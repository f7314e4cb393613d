import { type ContractAddress, parseDecimalAmount, XLM_CONTRACT } from '../../protocol/index.ts';
import { DAILY_WINDOW_SECONDS, type PolicyDefinition } from '../../protocol/policies/index.ts';
import type { SorobanRpc } from '../exact/index.ts';
import { PolicyMismatchError } from './errors.ts';
import { decimal, decimalsOf, type LedgerPolicy, readPolicy } from './readPolicy.ts';

/**
 * Reads a policy from the ledger and compares it with the definition that it was made of, so that
 * nobody has to believe a gateway. Call it before a policy is attached.
 * @throws PolicyMismatchError that says what differs, RpcFailedError
 */
export async function verifyPolicy(
  contract: ContractAddress,
  definition: PolicyDefinition,
  rpc: SorobanRpc,
): Promise<LedgerPolicy> {
  const policy = await readPolicy(contract, rpc);
  const differs = (what: string, found: unknown, asked: unknown) =>
    new PolicyMismatchError(contract, `${what} is ${found}, not ${asked}`);
  if (policy.type !== definition.type) throw differs('it', policy.type, definition.type);
  const [wallet] = definition.owners;
  if (policy.wallet !== wallet) throw differs('its wallet', policy.wallet, wallet);
  if (policy.type === 'verified_only') {
    const { registry } = definition as { readonly registry?: string };
    if (policy.registry !== registry) throw differs('its registry', policy.registry, registry);
    return policy;
  }
  const { asset, amount } = limitOf(definition);
  if (policy.asset !== asset) throw differs('its asset', policy.asset, asset);
  const decimals = await decimalsOf(asset as ContractAddress, rpc);
  const limit = parseDecimalAmount(amount, decimals);
  if (policy.limit !== limit) throw differs('its limit', decimal(policy.limit, decimals), amount);
  if (policy.window !== DAILY_WINDOW_SECONDS) {
    throw differs('its window in seconds', policy.window, DAILY_WINDOW_SECONDS);
  }
  return policy;
}

function limitOf(definition: PolicyDefinition): {
  readonly asset: string;
  readonly amount: string;
} {
  if (definition.type !== 'spending_limit') return { asset: '', amount: '' };
  const { dailyXlm, daily } = definition.spendingLimits;
  const [first] = daily ?? [];
  return first ?? { asset: XLM_CONTRACT, amount: dailyXlm ?? '' };
}
