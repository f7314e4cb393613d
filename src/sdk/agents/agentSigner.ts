import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../protocol/index.ts';
import {
  type Grants,
  readSignerKey,
  type SignerKey,
  signerEntryKeys,
} from '../../protocol/smartAccount/index.ts';
import { readScAddress } from '../../protocol/stellar/index.ts';
import { decode, type SorobanRpc } from '../exact/index.ts';

/** A key as a smart account stores it. */
export interface StoredKey {
  /** Last ledger in which it is valid; `null`: it does not expire. */
  readonly expirationLedger: number | null;
  /** `null`: an owner. */
  readonly grants: Grants | null;
}

/** Reads an Ed25519 key of a smart account; `undefined` if the account does not have it. @throws RpcFailedError */
export async function readKey(
  wallet: ContractAddress,
  publicKey: Uint8Array,
  rpc: SorobanRpc,
): Promise<{ readonly latestLedger: number; readonly stored: StoredKey | undefined }> {
  const keys = signerEntryKeys(wallet, { kind: 'ed25519', publicKey }).map((key) =>
    key.toXdr('base64'),
  );
  const { latestLedger, entries } = await rpc.entries(keys);
  const entry = entries.find(({ key }) => keys.includes(key));
  if (entry === undefined) return { latestLedger, stored: undefined };
  const data = decode(() => xdr.LedgerEntryData.fromXdr(entry.data, 'base64'));
  const value = data.type === 'contractData' ? data.contractData.val : xdr.ScVal.scvVoid();
  const [, expiration, limits] = vectorOf(value);
  const [end] = vectorOf(expiration);
  const [map] = vectorOf(limits);
  return {
    latestLedger,
    stored: {
      expirationLedger: end?.type === 'scvU32' ? end.u32 : null,
      grants: map?.type === 'scvMap' ? grantsOf(map.map ?? []) : null,
    },
  };
}

/** Returns the policies that must agree to a key's calls, each once. */
export function policiesOf({ grants }: StoredKey): readonly ContractAddress[] {
  const keys = [...(grants?.values() ?? [])].flatMap((approvers) => approvers ?? []);
  return [...new Set(keys.flatMap((key) => (key.kind === 'policy' ? [key.policy] : [])))];
}

function grantsOf(entries: readonly xdr.ScMapEntry[]): Grants {
  const grants = new Map<ContractAddress, readonly SignerKey[] | null>();
  for (const { key, val } of entries) {
    if (key.type !== 'scvAddress') continue;
    const approvers =
      val.type === 'scvVec' ? (val.vec ?? []).flatMap((one) => readSignerKey(one) ?? []) : null;
    grants.set(readScAddress(key.address) as ContractAddress, approvers);
  }
  return grants;
}

function vectorOf(value: xdr.ScVal | undefined): readonly xdr.ScVal[] {
  return value?.type === 'scvVec' ? (value.vec ?? []) : [];
}
