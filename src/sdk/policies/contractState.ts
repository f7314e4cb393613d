import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../protocol/index.ts';
import { instanceKey, toScAddress } from '../../protocol/stellar/index.ts';
import {
  decode,
  NULL_ACCOUNT,
  type SorobanRpc,
  succeed,
  transferEnvelope,
} from '../exact/index.ts';

/** The state of a contract on the ledger. */
export interface ContractState {
  /** SHA-256 of its module, hex; `undefined` for a Stellar asset. */
  readonly module: string | undefined;
  /** Its instance storage, with symbols as keys. `undefined` if a key is not a symbol. */
  readonly storage: ReadonlyMap<string, xdr.ScVal> | undefined;
}

/** Reads a contract from the ledger; `undefined` if it does not exist. @throws RpcFailedError */
export async function readContract(
  contract: ContractAddress,
  rpc: SorobanRpc,
): Promise<ContractState | undefined> {
  const key = instanceKey(contract).toXdr('base64');
  const { entries } = await rpc.entries([key]);
  // An RPC can respond with another contract's entry, which says nothing about this one.
  const entry = entries.find((found) => found.key === key);
  if (entry === undefined) return undefined;
  const data = decode(() => xdr.LedgerEntryData.fromXdr(entry.data, 'base64'));
  if (data.type !== 'contractData' || data.contractData.val.type !== 'scvContractInstance') {
    return undefined;
  }
  const { executable, storage } = data.contractData.val.instance;
  return {
    module:
      executable.type === 'contractExecutableWasm' ? hex(executable.wasmHash.value) : undefined,
    storage: symbolMap(storage ?? []),
  };
}

/** Returns the members of a Soroban struct, by name; `undefined` if the value is not one. */
export function structOf(value: xdr.ScVal | undefined): ReadonlyMap<string, xdr.ScVal> | undefined {
  return value?.type === 'scvMap' ? symbolMap(value.map ?? []) : undefined;
}

/**
 * Returns the result of a contract's function, without a transaction.
 * @throws CannotPayError if it fails, RpcFailedError
 */
export async function askContract(
  contract: ContractAddress,
  functionName: string,
  args: readonly xdr.ScVal[],
  rpc: SorobanRpc,
): Promise<xdr.ScVal> {
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(contract),
    functionName,
    args: [...args],
  });
  const draft = { source: NULL_ACCOUNT, invocation, authorizations: [], now: Date.now() / 1000 };
  const { results } = succeed(await rpc.simulate(transferEnvelope(draft)));
  return decode(() => xdr.ScVal.fromXdr(results?.[0]?.xdr ?? '', 'base64'));
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function symbolMap(entries: readonly xdr.ScMapEntry[]): ReadonlyMap<string, xdr.ScVal> | undefined {
  const map = new Map<string, xdr.ScVal>();
  for (const { key, val } of entries) {
    if (key.type !== 'scvSymbol') return undefined;
    map.set(key.sym.toString(), val);
  }
  return map;
}
