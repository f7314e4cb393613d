import type * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, XLM_CONTRACT } from '../../../protocol/index.ts';
import {
  type PolicyContract,
  type PolicySummary,
  readSpendingLimit,
} from '../../../protocol/policies/index.ts';
import { summaryOfLimit } from '../limitSummary.ts';
import { moduleOf } from '../upkeep/policyLives.ts';

/**
 * Summarizes the limits of a policy that an owner has changed since it was generated.
 * @param instance the entry of the policy's contract
 * @returns `undefined` if they are those that it was made with
 */
export function changedSummary(
  contract: PolicyContract | null | undefined,
  instance: xdr.LedgerEntryData | undefined,
): PolicySummary | undefined {
  const module = moduleOf(instance);
  if (contract?.decimals === undefined || module === undefined) return undefined;
  if (Buffer.from(module).toString('hex') !== contract.wasmHash) return undefined;
  const storage = storageOf(instance);
  const limit = readSpendingLimit(storage);
  if (limit === undefined || (limit.revision ?? 0) === 0) return undefined;
  return summaryOfLimit({
    ...limit,
    asset: limit.token === XLM_CONTRACT ? null : (limit.token as ContractAddress),
    amount: limit.limit,
    decimals: contract.decimals,
    maxPayments: limit.maxPayments ?? null,
    perPayment: limit.perPayment ?? null,
    recipients: limit.recipients ?? null,
  });
}

function storageOf(instance: xdr.LedgerEntryData | undefined): ReadonlyMap<string, xdr.ScVal> {
  if (instance?.type !== 'contractData') return new Map();
  const { val } = instance.contractData;
  const entries = val.type === 'scvContractInstance' ? (val.instance.storage ?? []) : [];
  const named = entries.flatMap(({ key, val: value }) =>
    key.type === 'scvSymbol' ? [[key.sym.toString(), value] as const] : [],
  );
  return new Map(named);
}
