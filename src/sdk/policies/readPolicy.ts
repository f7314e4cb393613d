import type * as xdr from '@stellar/stellar-sdk/xdr';
import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../protocol/bindings/index.ts';
import { type ContractAddress, formatDecimalAmount } from '../../protocol/index.ts';
import { readI128, readScAddress } from '../../protocol/stellar/index.ts';
import type { SorobanRpc } from '../exact/index.ts';
import { askContract, readContract, structOf } from './contractState.ts';
import { PolicyMismatchError } from './errors.ts';

/** A policy on the ledger. */
export type LedgerPolicy = LedgerSpendingLimit | LedgerVerifiedOnly;

export interface LedgerSpendingLimit {
  readonly type: 'spending_limit';
  readonly contract: string;
  /** The smart account whose payments count. */
  readonly wallet: string;
  /** Contract of the token. */
  readonly asset: string;
  /** Atomic units in a window. */
  readonly limit: bigint;
  /** Seconds. */
  readonly window: bigint;
  /** Maximum of one payment, in atomic units; `undefined`: the remaining amount. */
  readonly perPayment: bigint | undefined;
  /** Recipients that may be paid; `undefined`: everyone. */
  readonly recipients: readonly string[] | undefined;
  /** Atomic units spent in the current window, as stored. */
  readonly spent: bigint;
  /** The settlement contract of `upto` that may release unused amounts. */
  readonly upto: string | undefined;
}

export interface LedgerVerifiedOnly {
  readonly type: 'verified_only';
  readonly contract: string;
  readonly wallet: string;
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
  const config = structOf(storage?.get('config'));
  if (storage === undefined || config === undefined)
    throw wrong('it is not configured as a policy');
  if (runs(module, 'verified-only')) {
    const [wallet, registry] = [addressIn(config, 'wallet'), addressIn(config, 'registry')];
    if (wallet === undefined || registry === undefined)
      throw wrong('its configuration is malformed');
    return { type: 'verified_only', contract, wallet, registry };
  }
  if (!runs(module, 'spending-limit')) {
    throw wrong(`it runs the module ${module ?? 'of an asset'}, which is not a known policy`);
  }
  return readLimit(contract, config, storage, rpc, wrong);
}

/** Whether a module is a version of a policy's: a policy keeps the module that it was deployed with. */
function runs(module: string | undefined, name: 'spending-limit' | 'verified-only'): boolean {
  const earlier: readonly string[] = EARLIER_MODULE_HASHES[name];
  return module !== undefined && (module === MODULE_HASHES[name] || earlier.includes(module));
}

async function readLimit(
  contract: ContractAddress,
  config: ReadonlyMap<string, xdr.ScVal>,
  storage: ReadonlyMap<string, xdr.ScVal>,
  rpc: SorobanRpc,
  wrong: (what: string) => PolicyMismatchError,
): Promise<LedgerSpendingLimit> {
  const [wallet, asset] = [addressIn(config, 'wallet'), addressIn(config, 'token')];
  const [limit, window] = [config.get('limit'), config.get('window')];
  const amount = limit && readI128(limit);
  const upto = config.get('upto');
  if (!wallet || !asset || amount === undefined || window?.type !== 'scvU64' || !upto) {
    throw wrong('its configuration is malformed');
  }
  const stored = structOf(storage.get('window'))?.get('spent');
  const spent = stored === undefined ? 0n : readI128(stored);
  // A negative amount would mean that another module ran before this one.
  if (spent === undefined || spent < 0n || spent > amount) throw wrong('its window is malformed');
  const narrow = readNarrow(config);
  if (narrow === undefined) throw wrong('its configuration is malformed');
  const settlement = upto.type === 'scvVoid' ? undefined : addressIn(config, 'upto');
  if (upto.type !== 'scvVoid') await requireUpto(settlement, rpc, wrong);
  return {
    ...{ type: 'spending_limit', contract, wallet, asset, limit: amount },
    ...{ window: window.u64, ...narrow, spent, upto: settlement },
  };
}

/** Reads the limits of one payment. The module of version 0.3.0 stores none; `undefined` if they are malformed. */
function readNarrow(
  config: ReadonlyMap<string, xdr.ScVal>,
): Pick<LedgerSpendingLimit, 'perPayment' | 'recipients'> | undefined {
  const [most, list] = [given(config.get('per_payment')), given(config.get('recipients'))];
  const perPayment = most && readI128(most);
  if (most !== undefined && perPayment === undefined) return undefined;
  if (list === undefined) return { perPayment, recipients: undefined };
  if (list.type !== 'scvVec') return undefined;
  const recipients = (list.vec ?? []).flatMap((one) =>
    one.type === 'scvAddress' ? (readScAddress(one.address) ?? []) : [],
  );
  return recipients.length === list.vec?.length ? { perPayment, recipients } : undefined;
}

function given(value: xdr.ScVal | undefined): xdr.ScVal | undefined {
  return value?.type === 'scvVoid' ? undefined : value;
}

/** Checks a settlement contract, which releases unused amounts: a dishonest one could release everything. */
async function requireUpto(
  settlement: string | undefined,
  rpc: SorobanRpc,
  wrong: (what: string) => PolicyMismatchError,
): Promise<void> {
  const state =
    settlement === undefined ? undefined : await readContract(settlement as ContractAddress, rpc);
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
      'it is not a token: it does not say how many decimal places it has',
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
