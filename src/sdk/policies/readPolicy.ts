import type * as xdr from '@stellar/stellar-sdk/xdr';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../protocol/bindings/index.ts';
import { type ContractAddress, formatDecimalAmount } from '../../protocol/index.ts';
import { type CountedWindow, readSpendingLimit } from '../../protocol/policies/index.ts';
import { readScAddress } from '../../protocol/stellar/index.ts';
import type { SorobanRpc } from '../exact/index.ts';
import { askContract, readContract, structOf } from './contractState.ts';
import { PolicyMismatchError } from './errors.ts';

/** A policy on the ledger. */
export type LedgerPolicy = LedgerSpendingLimit | LedgerVerifiedOnly;

export interface LedgerSpendingLimit {
  readonly type: 'spending_limit';
  /** The policy's contract (`C…`). */
  readonly contract: string;
  /** The smart account whose payments count. */
  readonly wallet: string;
  /** Contract of the token. */
  readonly asset: string;
  /** Maximum per window in atomic units. */
  readonly limit: bigint;
  /** Seconds. */
  readonly window: bigint;
  /** Maximum per payment, in atomic units; `undefined`: the remaining amount. */
  readonly perPayment: bigint | undefined;
  /** Recipients that may be paid; `undefined`: everyone. */
  readonly recipients: readonly string[] | undefined;
  /** Maximum number of payments per window; `undefined`: no limit. */
  readonly maxPayments: number | undefined;
  /** Whether the window slides, instead of beginning with its first payment. */
  readonly sliding: boolean;
  /** How often the owner has changed the limits; `undefined`: its module, an earlier one, cannot change them. */
  readonly revision: number | undefined;
  /** Atomic units spent in the current window, as stored. */
  readonly spent: bigint;
  /** The payments that its contract has counted, as stored. */
  readonly counted: CountedWindow;
  /** The settlement contract of `upto` that may release unused amounts. */
  readonly upto: string | undefined;
}

export interface LedgerVerifiedOnly {
  readonly type: 'verified_only';
  /** The policy's contract (`C…`). */
  readonly contract: string;
  /** The smart account that it guards (`C…`). */
  readonly wallet: string;
  /** The attestation registry that it queries (`C…`). */
  readonly registry: string;
}

/**
 * Reads a policy from the ledger. Only a contract that runs a module of this version or an earlier one is
 * accepted, since another module's storage says nothing about what it does.
 * @throws PolicyMismatchError if it is not such a contract, RpcFailedError
 */
export async function readPolicy(
  contract: ContractAddress,
  rpc: SorobanRpc,
): Promise<LedgerPolicy> {
  const wrong = (what: string) => new PolicyMismatchError(contract, what);
  const state = await readContract(contract, rpc);
  if (state === undefined) throw wrong('there is no such contract on the ledger');
  const { module, storage } = state;
  if (storage?.get('config') === undefined && storage?.get('limit') === undefined) {
    throw wrong('it is not configured as a policy');
  }
  if (runs(module, 'verified-only')) {
    const config = structOf(storage.get('config')) ?? new Map();
    const [wallet, registry] = [addressIn(config, 'wallet'), addressIn(config, 'registry')];
    if (wallet === undefined || registry === undefined)
      throw wrong('its configuration is malformed');
    return { type: 'verified_only', contract, wallet, registry };
  }
  if (!runs(module, 'spending-limit')) {
    throw wrong(`it runs the module ${module ?? 'of an asset'}, which is not a known policy`);
  }
  return readLimit(contract, storage, rpc, wrong);
}

/** Whether a module is a version of a policy's module: a policy keeps the module with which it was deployed. */
function runs(module: string | undefined, name: 'spending-limit' | 'verified-only'): boolean {
  const earlier: readonly string[] = EARLIER_MODULE_HASHES[name];
  return module !== undefined && (module === MODULE_HASHES[name] || earlier.includes(module));
}

async function readLimit(
  contract: ContractAddress,
  storage: ReadonlyMap<string, xdr.ScVal>,
  rpc: SorobanRpc,
  wrong: (what: string) => PolicyMismatchError,
): Promise<LedgerSpendingLimit> {
  const state = readSpendingLimit(storage);
  if (state === undefined) throw wrong('its configuration is malformed');
  const { token: asset, ...limits } = state;
  const { counted } = limits;
  const spent = counted.parts.reduce((sum, part) => sum + part.spent, 0n);
  // A negative amount would mean that another module ran before this one. More than the limit can be spent only if the owner
  // has lowered it.
  const isChanged = (limits.revision ?? 0) > 0;
  if (counted.parts.some((part) => part.spent < 0n) || (spent > limits.limit && !isChanged)) {
    throw wrong('its window is malformed');
  }
  if (limits.upto !== undefined) await requireUpto(limits.upto, rpc, wrong);
  return { type: 'spending_limit', contract, asset, ...limits, spent };
}

/** Checks a settlement contract, which releases unused amounts: a dishonest one could release everything. */
async function requireUpto(
  settlement: string,
  rpc: SorobanRpc,
  wrong: (what: string) => PolicyMismatchError,
): Promise<void> {
  const state = await readContract(settlement as ContractAddress, rpc);
  if (state?.module !== MODULE_HASHES.upto) {
    throw wrong(`its settlement contract ${settlement} runs an unknown module`);
  }
}

/** Returns a token's number of decimal places. @throws RpcFailedError, CannotPayError if it does not report it */
export async function decimalsOf(asset: ContractAddress, rpc: SorobanRpc): Promise<number> {
  const value = await askContract(asset, 'decimals', [], rpc);
  if (value.type !== 'scvU32' || value.u32 > 38) {
    throw new PolicyMismatchError(
      asset,
      'it is not a token: it does not report its decimal places',
    );
  }
  return value.u32;
}

/** Formats an amount of a token for people. */
export function decimal(amount: bigint, decimals: number): string {
  return formatDecimalAmount(amount, decimals);
}

function addressIn(map: ReadonlyMap<string, xdr.ScVal>, name: string): string | undefined {
  const value = map.get(name);
  return value?.type === 'scvAddress' ? readScAddress(value.address) : undefined;
}
