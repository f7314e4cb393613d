import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../protocol/index.ts';
import { countedAt } from '../../protocol/policies/index.ts';
import { readI128, toScAddress } from '../../protocol/stellar/index.ts';
import { RpcFailedError, type SorobanRpc } from '../exact/index.ts';
import {
  askContract,
  decimal,
  decimalsOf,
  type LedgerSpendingLimit,
  readPolicy,
} from '../policies/index.ts';

/** An agent's budget for one asset on the ledger. Amounts are decimal, such as `0.5`. */
export interface AgentBudget {
  /** Contract of the asset. */
  readonly asset: string;
  /** Contract of the policy that enforces the limit. */
  readonly policy: string;
  /** Maximum per window, in the asset's unit: `5` is 5 USDC. */
  readonly limit: string;
  /** Spent in this window, in the asset's unit. */
  readonly spent: string;
  /** Amount that can still be spent in this window, in the asset's unit. */
  readonly left: string;
  /** Length of the window in seconds. */
  readonly window: bigint;
  /** Maximum per payment; `undefined`: the remaining budget. */
  readonly perPayment: string | undefined;
  /** Recipients that may be paid; `undefined`: everyone. */
  readonly recipients: readonly string[] | undefined;
  /** Whether the window slides, instead of beginning with its first payment. */
  readonly sliding: boolean;
  /** Maximum number of payments per window; `undefined`: no limit. */
  readonly maxPayments: number | undefined;
  /** Payments left in this window; `undefined` if their number is not limited. */
  readonly paymentsLeft: number | undefined;
  /**
   * When more becomes available: the full limit or, in a sliding window, the amount that was spent first. `undefined` while
   * nothing is spent.
   */
  readonly resetsAt: Date | undefined;
}

/**
 * Reads the remainder of a spending limit, counted as its contract does. @throws RpcFailedError, CannotPayError,
 * PolicyMismatchError
 */
export async function readBudget(
  { contract }: LedgerSpendingLimit,
  rpc: SorobanRpc,
): Promise<AgentBudget> {
  const policy = await readPolicy(contract as ContractAddress, rpc);
  if (policy.type !== 'spending_limit') throw new TypeError('a policy keeps its module');
  const { limit, maxPayments } = policy;
  const { spent, payments, resetsAt } = countedAt(policy, policy.counted, await rpc.time());
  const decimals = await decimalsOf(policy.asset as ContractAddress, rpc);
  return {
    asset: policy.asset,
    policy: contract,
    limit: decimal(limit, decimals),
    spent: decimal(spent, decimals),
    // An owner can lower a limit below what was spent.
    left: decimal(spent > limit ? 0n : limit - spent, decimals),
    window: policy.window,
    perPayment: policy.perPayment === undefined ? undefined : decimal(policy.perPayment, decimals),
    recipients: policy.recipients,
    sliding: policy.sliding,
    maxPayments,
    paymentsLeft: maxPayments === undefined ? undefined : Math.max(0, maxPayments - payments),
    resetsAt: resetsAt === undefined ? undefined : new Date(Number(resetsAt) * 1000),
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
