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

/** What an agent may spend of one asset, as the ledger has it. Amounts are decimal, such as `0.5`. */
export interface AgentBudget {
  /** Contract of the asset. */
  readonly asset: string;
  /** Contract of the policy that holds the limit. */
  readonly policy: string;
  readonly limit: string;
  readonly spent: string;
  readonly left: string;
  /** Seconds of the window. */
  readonly window: bigint;
  /** Most of one payment; `undefined`: what is left. */
  readonly perPayment: string | undefined;
  /** Who may be paid; `undefined`: anybody. */
  readonly recipients: readonly string[] | undefined;
  /** When nothing of it will be spent again; `undefined` while nothing is. */
  readonly resetsAt: Date | undefined;
}

/** Asks a spending limit what is left of it now. @throws RpcFailedError, CannotPayError */
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

/** Atomic units of an asset that an account holds. @throws RpcFailedError, CannotPayError where it cannot hold any */
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
