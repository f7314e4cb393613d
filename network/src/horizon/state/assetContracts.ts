import type { xdr } from '@stellar/stellar-sdk';
import { StrKey } from '@stellar/stellar-sdk';
import { creditAsset } from '../format/asset.ts';
import { hexText } from '../format/hex.ts';

/** A contract's balance of an asset. */
export interface ContractBalance {
  /** Id of the asset's contract, hex. */
  readonly contract: string;
  readonly amount: bigint;
}

/**
 * The asset that a contract's instance claims to represent; undefined if it is not the contract of an issued asset. Only the
 * contract's id shows whether the claim is true.
 */
export function deployedAsset(entry: xdr.ContractDataEntry): xdr.Asset | undefined {
  if (entry.key.type !== 'scvLedgerKeyContractInstance') return undefined;
  if (entry.val.type !== 'scvContractInstance') return undefined;
  const { executable, storage } = entry.val.instance;
  if (executable.type !== 'contractExecutableStellarAsset' || storage === null) return undefined;
  const info = storage.find(({ key }) => isVariant(key, 'AssetInfo'))?.val;
  const fields = info?.type === 'scvVec' ? info.vec?.[1] : undefined;
  if (fields?.type !== 'scvMap' || fields.map === null) return undefined;
  const [code, issuer] = ['asset_code', 'issuer'].map((name) => mapValue(fields.map, name));
  if (code?.type !== 'scvString' || issuer?.type !== 'scvBytes') return undefined;
  const address = StrKey.encodeEd25519PublicKey(issuer.bytes.value);
  return creditAsset(code.str.toString().replaceAll('\0', ''), address);
}

/** The balance of another contract that an entry of an asset's contract stores, if any. */
export function contractBalance(entry: xdr.ContractDataEntry): ContractBalance | undefined {
  const { key, val, contract } = entry;
  if (key.type !== 'scvVec' || key.vec?.length !== 2 || val.type !== 'scvMap') return undefined;
  const [, holder] = key.vec;
  if (!isVariant(key, 'Balance') || holder?.type !== 'scvAddress') return undefined;
  if (holder.address.type !== 'scAddressTypeContract') return undefined;
  if (contract.type !== 'scAddressTypeContract' || val.map?.length !== 3) return undefined;
  const amount = mapValue(val.map, 'amount');
  if (amount?.type !== 'scvI128') return undefined;
  const { hi, lo } = amount.i128;
  return { contract: hexText(contract.contractId.value), amount: (hi << 64n) | lo };
}

/** Variants of a contract's enum types are lists that begin with the variant's name. */
function isVariant(value: xdr.ScVal, name: string): boolean {
  const first = value.type === 'scvVec' ? value.vec?.[0] : undefined;
  return first?.type === 'scvSymbol' && first.sym.toString() === name;
}

function mapValue(map: readonly xdr.ScMapEntry[] | null, name: string): xdr.ScVal | undefined {
  return map?.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name)?.val;
}
