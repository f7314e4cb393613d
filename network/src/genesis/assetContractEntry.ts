import { xdr } from '@stellar/stellar-sdk';
import { assetContractId, assetName } from '../transaction/events/index.ts';

const DECIMALS = 7;

const symbol = (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text);
const string = (text: string): xdr.ScVal => xdr.ScVal.scvString(text);
const variant = (name: string, ...values: xdr.ScVal[]): xdr.ScVal =>
  xdr.ScVal.scvVec([symbol(name), ...values]);
const map = (entries: readonly (readonly [xdr.ScVal, xdr.ScVal])[]): xdr.ScMapEntry[] =>
  entries.map(([key, val]) => new xdr.ScMapEntry({ key, val }));

/**
 * The instance of an asset's contract, as the host writes it when the contract is deployed
 * (CAP-46-06; soroban-env-host `builtin_contracts/stellar_asset_contract`).
 */
export function assetContractEntry(
  networkId: Uint8Array,
  asset: xdr.AssetNative | xdr.AssetCreditAlphanum4,
): xdr.ContractDataEntry {
  const metadata = map([
    [symbol('decimal'), xdr.ScVal.scvU32(DECIMALS)],
    [symbol('name'), string(assetName(asset))],
    [symbol('symbol'), string(codeOf(asset))],
  ]);
  const storage: (readonly [xdr.ScVal, xdr.ScVal])[] = [
    [symbol('METADATA'), xdr.ScVal.scvMap(metadata)],
  ];
  if (asset.type === 'assetTypeCreditAlphanum4') {
    const issuer = xdr.ScAddress.scAddressTypeAccount(asset.alphaNum4.issuer);
    storage.push([variant('Admin'), xdr.ScVal.scvAddress(issuer)]);
  }
  storage.push([variant('AssetInfo'), assetInfo(asset)]);
  return new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(assetContractId(networkId, asset)),
    key: xdr.ScVal.scvLedgerKeyContractInstance(),
    durability: xdr.ContractDataDurability.persistent,
    val: xdr.ScVal.scvContractInstance(
      new xdr.ScContractInstance({
        executable: xdr.ContractExecutable.contractExecutableStellarAsset(),
        storage: map(storage),
      }),
    ),
  });
}

function assetInfo(asset: xdr.AssetNative | xdr.AssetCreditAlphanum4): xdr.ScVal {
  if (asset.type === 'assetTypeNative') return variant('Native');
  const info = map([
    [symbol('asset_code'), string(codeOf(asset))],
    [symbol('issuer'), xdr.ScVal.scvBytes(asset.alphaNum4.issuer.ed25519.value)],
  ]);
  return variant('AlphaNum4', xdr.ScVal.scvMap(info));
}

function codeOf(asset: xdr.AssetNative | xdr.AssetCreditAlphanum4): string {
  if (asset.type === 'assetTypeNative') return 'native';
  return Buffer.from(asset.alphaNum4.assetCode.value).toString().replace(/\0+$/, '');
}
