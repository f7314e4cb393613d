import * as xdr from '@stellar/stellar-sdk/xdr';
import type { AccountAddress, ContractAddress } from '../../../common/address.ts';
import { encodeStrKey } from '../../../common/strKey.ts';
import { readScAddress, toScAddress } from '../stellar/index.ts';
import { readSignerKey, type SignerKey, toSignerKey } from './signerKey.ts';

/** What a limited Ed25519 key of a smart account may do. */
export interface KeyLimits {
  readonly key: AccountAddress;
  /** The contracts that it may call, in the ledger's order. */
  readonly contracts: readonly ContractAddress[];
  /** Keys that must all sign as well. */
  readonly coSigners: readonly AccountAddress[];
}

/**
 * Reads a signer (the argument of `add_signer`) that is a key with limits that the account itself enforces:
 * the same other keys for every contract, and no policies. `undefined` for every other signer.
 */
export function readKeyLimits(signer: xdr.ScVal): KeyLimits | undefined {
  const { key, value } = signerParts(signer) ?? {};
  const name = key && readSignerKey(key);
  if (name?.kind !== 'ed25519' || value === undefined) return undefined;
  const grants = grantsOf(value);
  if (grants === undefined) return undefined;
  const [first = [], ...others] = grants.map(({ val }) => coSignersOf(val));
  if (first === undefined) return undefined;
  if (others.some((other) => other?.join() !== first.join())) return undefined;
  return {
    key: encodeStrKey('account', name.publicKey) as AccountAddress,
    contracts: grants.flatMap(({ key: granted }) =>
      granted.type === 'scvAddress' ? [readScAddress(granted.address) as ContractAddress] : [],
    ),
    coSigners: first,
  };
}

/**
 * Returns an Ed25519 signer as the account stores it: its name and `SignerVal`
 * (contracts/account-interface/src/signer.rs). `undefined` for other signers.
 */
export function signerParts(
  signer: xdr.ScVal,
): { readonly key: xdr.ScVal; readonly value: xdr.ScVal } | undefined {
  const parts = signer.type === 'scvVec' ? (signer.vec ?? []) : [];
  const [kind, name, expiration, limits, storage] = parts;
  if (kind?.type !== 'scvSymbol' || kind.sym.toString() !== 'Ed25519') return undefined;
  if (!name || !expiration || !limits || !storage || parts.length > 5) return undefined;
  return {
    key: xdr.ScVal.scvVec([kind, name]),
    value: xdr.ScVal.scvVec([kind, expiration, limits]),
  };
}

/** What a stored key may do, regardless of who else must agree. */
export type KeyStanding =
  /** The account does not have it. */
  | 'missing'
  /** An owner: it may do everything. */
  | 'owner'
  /** It may call contracts, or it expires. */
  | 'limited'
  /** It may call nothing: it only signs together with others. */
  | 'co-signer';

/** @param value `SignerVal` of an Ed25519 key, as the account stores it */
export function keyStanding(value: xdr.ScVal | undefined): KeyStanding {
  if (value === undefined) return 'missing';
  const [, expiration] = value.type === 'scvVec' ? (value.vec ?? []) : [];
  const grants = grantsOf(value);
  if (grants === undefined) return 'owner';
  const [end] = expiration?.type === 'scvVec' ? (expiration.vec ?? []) : [];
  return grants.length === 0 && end?.type === 'scvVoid' ? 'co-signer' : 'limited';
}

/** Returns the two ledger keys under which an account may store a signer: it is under one of them. */
export function signerEntryKeys(
  wallet: ContractAddress,
  signer: SignerKey,
): readonly [persistent: xdr.LedgerKey, temporary: xdr.LedgerKey] {
  const contract = toScAddress(wallet);
  const key = toSignerKey(signer);
  const in_ = (durability: xdr.ContractDataDurability) =>
    xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability }));
  const { persistent, temporary } = xdr.ContractDataDurability;
  return [in_(persistent), in_(temporary)];
}

/** Returns the map of limits in `SignerVal`; `undefined` if there is none, as for an owner. */
function grantsOf(value: xdr.ScVal): readonly xdr.ScMapEntry[] | undefined {
  const [, , limits] = value.type === 'scvVec' ? (value.vec ?? []) : [];
  const [map] = limits?.type === 'scvVec' ? (limits.vec ?? []) : [];
  return map?.type === 'scvMap' ? (map.map ?? []) : undefined;
}

/** `undefined` if signers other than Ed25519 keys must agree. */
function coSignersOf(value: xdr.ScVal): readonly AccountAddress[] | undefined {
  const names = value.type === 'scvVec' ? (value.vec ?? []).map(readSignerKey) : [];
  const keys = names.flatMap((name) =>
    name?.kind === 'ed25519' ? [encodeStrKey('account', name.publicKey) as AccountAddress] : [],
  );
  return keys.length === names.length ? keys : undefined;
}
