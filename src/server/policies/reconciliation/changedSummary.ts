import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { PolicyContract, PolicySummary } from '../../../protocol/policies/index.ts';
import { limitOnLedger, summarizedLimit } from '../limitOnLedger.ts';
import { summaryOfLimit } from '../limitSummary.ts';
import { moduleOf } from '../upkeep/policyLives.ts';

/**
 * Summarizes the limits of a policy that an owner has changed since it was generated.
 * @param instance the entry of the policy's contract
 * @returns `undefined` if the limits have not changed
 */
export function changedSummary(
  contract: PolicyContract | null | undefined,
  instance: xdr.LedgerEntryData | undefined,
): PolicySummary | undefined {
  const module = moduleOf(instance);
  if (contract?.decimals === undefined || module === undefined) return undefined;
  if (Buffer.from(module).toString('hex') !== contract.wasmHash) return undefined;
  const limit = limitOnLedger(instance);
  if (limit === undefined || (limit.revision ?? 0) === 0) return undefined;
  return summaryOfLimit(summarizedLimit(limit, contract.decimals));
}
