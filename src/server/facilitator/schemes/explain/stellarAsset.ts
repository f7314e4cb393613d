import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  isAccountAddress,
  type StellarAddress,
} from '../../../../protocol/index.ts';
import { addressBytes, instanceKey } from '../../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../../network/index.ts';

/** A Stellar asset behind its contract: XLM, or a code and its issuer. */
export interface StellarAsset {
  /** `undefined` for XLM, which every account holds without a trustline. */
  readonly trustline: xdr.TrustLineAsset | undefined;
  needsTrustline(holder: StellarAddress): boolean;
  isIssuer(holder: StellarAddress): boolean;
}

function sameAccount(key: xdr.PublicKey, holder: StellarAddress): boolean {
  return isAccountAddress(holder) && Buffer.compare(key.ed25519.value, addressBytes(holder)) === 0;
}

function issued(asset: xdr.TrustLineAsset, issuer: xdr.PublicKey): StellarAsset {
  return {
    trustline: asset,
    needsTrustline: (holder) => isAccountAddress(holder) && !sameAccount(issuer, holder),
    isIssuer: (holder) => sameAccount(issuer, holder),
  };
}

const NATIVE: StellarAsset = {
  trustline: undefined,
  needsTrustline: () => false,
  isIssuer: () => false,
};

/** The field of a map value under a symbol. */
export function field(value: xdr.ScVal | undefined, name: string): xdr.ScVal | undefined {
  if (value?.type !== 'scvMap') return undefined;
  return value.map?.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name)?.val;
}

/** Reads `AssetInfo` in the instance of a Stellar Asset Contract (CAP-46-06). */
function readAssetInfo(info: xdr.ScVal | undefined): StellarAsset | undefined {
  if (info?.type !== 'scvVec' || info.vec === null) return undefined;
  const [kind, data] = info.vec;
  if (kind?.type !== 'scvSymbol') return undefined;
  if (kind.sym.toString() === 'Native') return NATIVE;
  const code = field(data, 'asset_code');
  const issuerBytes = field(data, 'issuer');
  if (code?.type !== 'scvString' || issuerBytes?.type !== 'scvBytes') return undefined;
  const issuer = xdr.PublicKey.publicKeyTypeEd25519(issuerBytes.bytes.value);
  const letters = code.str.bytes;
  const padded = new Uint8Array(kind.sym.toString() === 'AlphaNum4' ? 4 : 12);
  padded.set(letters.subarray(0, padded.length));
  return issued(
    padded.length === 4
      ? xdr.TrustLineAsset.assetTypeCreditAlphanum4(
          new xdr.AlphaNum4({ assetCode: padded, issuer }),
        )
      : xdr.TrustLineAsset.assetTypeCreditAlphanum12(
          new xdr.AlphaNum12({ assetCode: padded, issuer }),
        ),
    issuer,
  );
}

/** Returns the Stellar asset of a contract; `undefined` if it is not a Stellar asset. */
export async function readAssetOf(
  contract: ContractAddress,
  network: StellarNetwork,
): Promise<StellarAsset | undefined> {
  const [entry] = (await network.getLedgerEntries([instanceKey(contract)])).entries;
  if (entry?.type !== 'contractData') return undefined;
  const { val } = entry.contractData;
  if (
    val.type !== 'scvContractInstance' ||
    val.instance.executable.type !== 'contractExecutableStellarAsset'
  ) {
    return undefined;
  }
  const info = val.instance.storage?.find(
    ({ key: name }) =>
      name.type === 'scvVec' &&
      name.vec?.[0]?.type === 'scvSymbol' &&
      name.vec[0].sym.toString() === 'AssetInfo',
  );
  return readAssetInfo(info?.val);
}
