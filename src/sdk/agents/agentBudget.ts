import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../protocol/index.ts';
import { readI128, toScAddress } from '../../protocol/stellar/index.ts';
import { RpcFailedError, type SorobanRpc } from '../exact/index.ts';
import {
  askContract,
  decimal,
  decimalsOf,
  type LedgerSpendingLimit,
  structOf,
} from '../policies/index.ts';

/** An agent's budget of one asset on the ledger. Amounts are decimal, such as `0.5`. */
export interface AgentBudget {
  /** Contract of the asset. */
  readonly asset: string;
  /** Contract of the policy that enforces the limit. */
  readonly policy: string;
  readonly limit: string;
  readonly spent: string;
  readonly left: string;
  /** Seconds of the window. */
  readonly window: bigint;
  /** Maximum of one payment; `undefined`: the remaining budget. */
  readonly perPayment: string | undefined;
  /** Recipients that may be paid; `undefined`: everyone. */
  readonly recipients: readonly string[] | undefined;
  /** When the spent amount returns to zero; `undefined` while it is zero. */
  readonly resetsAt: Date | undefined;
}

/** Reads what is left of a spending limit now. @throws RpcFailedError, CannotPayError */
export async function readBudget(
  policy: LedgerSpendingLimit,
  rpc: SorobanRpc,
): Promise<AgentBudget> {
  const contract = policy.contract as ContractAddress;
  const answer = structOf(await askContract(contract, 'budget', [], rpc));
  const amount = (name: string): bigint => {
    const value = answer?.get(name);
    const found = value && readI128(value);
    if (found === undefined) throw new RpcFailedError(`The budget of ${contract} cannot be read.`);
    return found;
  };
  const decimals = await decimalsOf(policy.asset as ContractAddress, rpc);
  const resets = answer?.get('resets_at');
  return {
    asset: policy.asset,
    policy: contract,
    limit: decimal(amount('limit'), decimals),
    spent: decimal(amount('spent'), decimals),
    left: decimal(amount('remaining'), decimals),
    window: policy.window,
    perPayment: policy.perPayment === undefined ? undefined : decimal(policy.perPayment, decimals),
    recipients: policy.recipients,
    resetsAt: resets?.type === 'scvU64' ? new Date(Number(resets.u64) * 1000) : undefined,
  };
}

/** Returns an account's balance of an asset in atomic units. @throws RpcFailedError, CannotPayError if it cannot hold any */
export async function readBalance(
  holder: StellarAddress,
  asset: ContractAddress,
  rpc: SorobanRpc,
): Promise<bigint> {
  const argument = xdr.ScVal.scvAddress(toScAddress(holder));
  const balance = readI128(await askContract(asset, 'balance', [argument], rpc));
  if (balance === undefined) throw new RpcFailedError(`The balance of ${holder} cannot be read.`);
  return balance;
}
