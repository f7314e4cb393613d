import type * as xdr from '@stellar/stellar-sdk/xdr';
import { type ContractAddress, XLM_CONTRACT } from '../../protocol/index.ts';
import { readSpendingLimit, type SpendingLimitState } from '../../protocol/policies/index.ts';
import type { SummarizedLimit } from './limitSummary.ts';

/**
 * Reads a spending limit from the entry of its contract. Check the contract's module too, because other contracts can
 * store the same values.
 * @returns `undefined` if the entry is not one
 */
export function limitOnLedger(
  instance: xdr.LedgerEntryData | undefined,
): SpendingLimitState | undefined {
  if (instance?.type !== 'contractData') return undefined;
  const { val } = instance.contractData;
  const entries = val.type === 'scvContractInstance' ? (val.instance.storage ?? []) : [];
  const named = entries.flatMap(({ key, val: value }) =>
    key.type === 'scvSymbol' ? [[key.sym.toString(), value] as const] : [],
  );
  return readSpendingLimit(new Map(named));
}

/** Returns the limits of a policy on the ledger in the form of a summary. @param decimals of its token */
export function summarizedLimit(limit: SpendingLimitState, decimals: number): SummarizedLimit {
  return {
    ...limit,
    asset: limit.token === XLM_CONTRACT ? null : (limit.token as ContractAddress),
    amount: limit.limit,
    decimals,
    maxPayments: limit.maxPayments ?? null,
    perPayment: limit.perPayment ?? null,
    recipients: limit.recipients ?? null,
  };
}
